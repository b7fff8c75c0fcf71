-- title: Volumes of a connection, with LCU and box
-- grain: one row per system, volume and place it was seen in
SELECT DISTINCT v.system, v.volume, v.lcu, v.subsystem, b.box
FROM volume_interval v
LEFT {{ join_box_then("b", "v") }}

-- question: part_volumes
-- title: Volumes a connection shows, and where they are
-- grain: one row per system, volume and place it was seen in
-- column system VARCHAR []: System id
-- column volume VARCHAR []: Volume serial, else the base device
-- column lcu VARCHAR []: Logical control unit
-- column subsystem VARCHAR []: Subsystem id
-- column box VARCHAR []: Serial number of the box without leading zeros
SELECT DISTINCT v.system, v.volume, v.lcu, v.subsystem, b.box
FROM volume_interval v
LEFT /* box_subsystem b of v then */

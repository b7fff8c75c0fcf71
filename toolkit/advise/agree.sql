-- question: agree
-- title: Which LCU and box the volumes are in
-- grain: one row per system, volume, lcu, box
SELECT DISTINCT system, volume, lcu, box
FROM volume_box
ORDER BY system, volume, lcu, box

-- question: agree
-- title: Which LCU and box the volumes are in
-- grain: one row per system, volume, lcu, box
-- column system VARCHAR []: System id
-- column volume VARCHAR []: Volume as in volume_interval
-- column lcu VARCHAR []: Logical control unit; NULL where no record tells it
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
SELECT DISTINCT system, volume, lcu, box
FROM volume_box
ORDER BY system, volume, lcu, box

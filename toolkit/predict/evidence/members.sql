-- title: All volumes of the boxes that some volumes of a system are in, during one of its intervals
-- grain: one row per box, platform, system, volume
-- parameter $platform VARCHAR []: Operating system
-- parameter $system VARCHAR []: System
-- parameter $names VARCHAR []: Names of the volumes, each between two |
-- parameter $interval_start TIMESTAMP [UTC]: Start of the interval
-- column own_read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes of the volume
-- column in_box DOUBLE []: I/Os in progress of all volumes in the box, mean of its interval
-- column volumes BIGINT []: Volumes of the box with I/Os then
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes of the box
WITH looked_at AS (
    SELECT DISTINCT box, box_interval_start, interval_start, interval_s
    FROM box_volume_interval
    WHERE platform = $platform AND system = $system AND interval_start = $interval_start
        AND instr($names, '|' || volume || '|') > 0
),
{{ members_then("looked_at") }}
SELECT * FROM member ORDER BY box, system, volume

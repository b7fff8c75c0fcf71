-- reach: a day
-- stored: in memory
-- title: Map from queue, alias and path intervals of an LCU to the intervals of its devices
-- grain: one row per platform, system, lcu, interval_start, other_start, other_s
-- columns: platform, system, lcu, interval_start, interval_s
-- column other_start TIMESTAMP [UTC]: Start of an interval of lcu_extra, lcu_queue or lcu_path_interval
-- columns: other_s
-- note: As device_alignment, for the LCUs that have devices in the interval.
SELECT DISTINCT l.platform, l.system, l.lcu, l.interval_start, a.interval_s, a.other_start, a.other_s
FROM lcu_interval l
JOIN device_alignment a ON {{ equal("platform, system, interval_start", "a", "l") }}

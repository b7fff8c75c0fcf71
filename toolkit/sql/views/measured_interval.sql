-- reach: a day
-- title: Every interval for which a system measured devices
-- grain: one row per platform, system, interval_start
-- columns: platform, system, interval_start, interval_s
-- column device_rows BIGINT []: Device rows in the interval
-- columns: utc_offset_s
SELECT
    platform, system, interval_start,
    max(interval_s) AS interval_s,
    count(*) AS device_rows,
    max(utc_offset_s) AS utc_offset_s
FROM device_interval
GROUP BY platform, system, interval_start

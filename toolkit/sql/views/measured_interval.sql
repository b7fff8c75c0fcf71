-- view: measured_interval
-- layer: derived
-- reach: a day
-- title: Every interval for which a system measured devices
-- grain: one row per platform, system, interval_start
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column device_rows BIGINT []: Device rows in the interval
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
SELECT
    platform,
    system,
    interval_start,
    max(interval_s) AS interval_s,
    count(*) AS device_rows,
    max(utc_offset_s) AS utc_offset_s
FROM device_interval
GROUP BY platform, system, interval_start

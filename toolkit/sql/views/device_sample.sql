-- view: device_sample
-- layer: derived
-- reach: a day
-- title: Which times of which devices records hold
-- grain: one row per platform, system, device, interval_start, interval_s
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column device VARCHAR []: Device as in device_interval
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
SELECT
    'z/OS' AS platform, system, CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS device, interval_start, interval_s,
    max(utc_offset_s) AS utc_offset_s
FROM smf74_1_device_data
WHERE interval_s > 0 AND interval_start IS NOT NULL
GROUP BY system, SMF74SCS, SMF74NUM, interval_start, interval_s
UNION ALL
SELECT 'z/VM', system, '0' || IODDEV_RDEVDEV, interval_start, interval_s, max(utc_offset_s)
FROM mon_d6r3
WHERE interval_s > 0 AND interval_start IS NOT NULL
GROUP BY system, IODDEV_RDEVDEV, interval_start, interval_s

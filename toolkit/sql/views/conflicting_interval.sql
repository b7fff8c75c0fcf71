-- reach: a day
-- title: Intervals that two files hold with different numbers (74.1) or volumes (FCX108), as of two systems of one name
-- grain: one row per platform, system, interval_start
-- columns: platform, system, interval_start, interval_s, utc_offset_s
-- column devices BIGINT []: Devices with different counts of start subchannels = SMF74SSC, or labels
-- note: One of the records counts in views. Two sites that use the same names belong into a lake each.
WITH several AS (
    SELECT system, interval_start, interval_s
    FROM smf74_1_record
    GROUP BY system, interval_start, interval_s
    HAVING count(DISTINCT file_id) > 1
),
twice AS (
    SELECT 'z/OS' AS platform, d.system, d.interval_start, d.interval_s, max(d.utc_offset_s) AS utc_offset_s
    FROM smf74_1_device_data d
    JOIN several s ON {{ equal("system, interval_start, interval_s", "s", "d") }}
    GROUP BY d.system, d.interval_start, d.interval_s, coalesce(d.SMF74SCS, 0), d.SMF74NUM
    HAVING min(d.SMF74SSC) < max(d.SMF74SSC)
    UNION ALL
    SELECT 'z/VM', system, interval_start, interval_s, max(utc_offset_s)
    FROM fcx108
    WHERE label_id NOT IN ('', 'CP')
    GROUP BY system, interval_start, interval_s, addr
    HAVING min(split_part(label_id, ' ', 1)) < max(split_part(label_id, ' ', 1))
)
SELECT
    platform, system, interval_start,
    max(interval_s) AS interval_s,
    max(utc_offset_s) AS utc_offset_s,
    count(*) AS devices
FROM twice
GROUP BY platform, system, interval_start

-- reach: a day
-- stored: no
-- title: Every row of a listing: its interval as printed, and what it is about
-- grain: one row per row of a report
-- columns: platform, report, owner, system
-- column interval_start TIMESTAMP []: Start of the interval as printed
-- column utc_offset_s INTEGER [s]: Local time minus UTC, where the report says it
-- columns: interval_s
-- column subject VARCHAR []: What it is about, as in left_out
-- column leader VARCHAR []: The subject that decides for it: the base of a z/VM alias
SELECT 'z/OS' AS platform, 'device' AS report, system AS owner, system, interval_start, utc_offset_s, interval_s,
    right('0' || device, 5) AS subject, CAST(NULL AS STRING) AS leader
FROM rmf_dasd_device
UNION ALL
SELECT 'z/OS', 'device', system, system, interval_start, utc_offset_s, interval_s, right('0' || device, 5), NULL
FROM rmf_sync_device
WHERE device IS NOT NULL
UNION ALL
SELECT 'z/OS', 'channel', system, system, interval_start, utc_offset_s, interval_s, right(path, 2), NULL
FROM rmf_channel
UNION ALL
-- rows of no single control unit (groups, processors) are the system's
SELECT 'z/OS', 'queue', system, system, interval_start, utc_offset_s, interval_s,
    CASE WHEN scope = 'LCU' THEN lcu ELSE system END, NULL
FROM rmf_ioq_lcu
UNION ALL
SELECT 'z/OS', 'queue', system, system, interval_start, utc_offset_s, interval_s, system, NULL FROM rmf_ioq_iop
UNION ALL
SELECT 'z/OS', 'cache', subsystem, system, interval_start, utc_offset_s, interval_s,
    coalesce(right('0' || device, 5), subsystem), NULL
FROM rmf_cache_device
UNION ALL
SELECT 'z/OS', 'cache', subsystem, system, interval_start, utc_offset_s, interval_s, subsystem, NULL FROM rmf_cache_status
UNION ALL
SELECT 'z/OS', 'box', trim(LEADING '0' FROM serial), system, interval_start, utc_offset_s, interval_s,
    trim(LEADING '0' FROM serial), NULL
FROM (
    SELECT serial, system, interval_start, utc_offset_s, interval_s FROM rmf_ess_link
    UNION ALL
    SELECT serial, system, interval_start, utc_offset_s, interval_s FROM rmf_ess_sync_link
    UNION ALL
    SELECT serial, system, interval_start, utc_offset_s, interval_s FROM rmf_ess_extent_pool
    UNION ALL
    SELECT serial, system, interval_start, utc_offset_s, interval_s FROM rmf_ess_rank
) AS ess
UNION ALL
SELECT 'z/VM', 'device', system, system, interval_start, utc_offset_s, interval_s, lpad(addr, 5, '0'),
    CASE WHEN type LIKE '->%' THEN lpad(trim(substr(type, 3)), 5, '0') END
FROM fcx168
UNION ALL
SELECT 'z/VM', 'device', system, system, interval_start, utc_offset_s, interval_s, lpad(addr, 5, '0'),
    CASE WHEN type LIKE '->%' THEN lpad(trim(substr(type, 3)), 5, '0') END
FROM fcx108
UNION ALL
SELECT 'z/VM', 'channel', system, system, interval_start, utc_offset_s, interval_s, chpid, NULL FROM fcx215
UNION ALL
SELECT 'z/VM', 'channel', system, system, interval_start, utc_offset_s, interval_s, chpid, NULL FROM fcx161
UNION ALL
SELECT 'z/VM', 'cache', system, system, interval_start, utc_offset_s, interval_s, system, NULL
FROM (
    SELECT system, interval_start, utc_offset_s, interval_s FROM fcx111
    UNION ALL
    SELECT system, interval_start, utc_offset_s, interval_s FROM fcx176
    UNION ALL
    SELECT system, interval_start, utc_offset_s, interval_s FROM fcx177
    UNION ALL
    SELECT system, interval_start, utc_offset_s, interval_s FROM fcx110_cache
) AS cached
UNION ALL
SELECT 'z/VM', 'detail', system, system, interval_start, utc_offset_s, interval_s, lpad(addr, 5, '0'), NULL FROM fcx110
UNION ALL
SELECT 'z/VM', 'paging', system, system, interval_start, utc_offset_s, interval_s, lpad(addr, 5, '0'), NULL FROM fcx109

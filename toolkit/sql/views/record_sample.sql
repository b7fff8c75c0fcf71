-- view: record_sample
-- layer: derived
-- reach: a day
-- stored: in memory
-- title: The times that records hold, by device, channel, control unit and box
-- grain: one row per platform, report, owner, subject, interval_start, interval_s
-- columns: platform, report, owner
-- column subject VARCHAR []: What is measured, as in listing_beside
-- columns: interval_start
-- column interval_s DOUBLE [s]: Length of the measured interval; of cache and box the gatherer's own (R745CINT, R748CINT)
-- note: Records without cache or box statistics (R745CSC, R748CSC and the like not 0) are left out.
WITH valid_cache AS (
    SELECT * FROM mon_d6r4 WHERE IODCAD_PSFLEN > 0 AND CALPSF_flags < 128
)
SELECT DISTINCT platform, report, owner, subject, interval_start, interval_s
FROM (
    SELECT
        'z/OS' AS platform, 'device' AS report, system AS owner,
        CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS subject, interval_start, interval_s
    FROM smf74_1_device_data
    UNION ALL
    SELECT 'z/VM', 'device', system, '0' || IODDEV_RDEVDEV, interval_start, interval_s
    FROM (
        SELECT {{ since_sample_before() }}, IODDEV_RDEVDEV
        {{ monitor_samples("mon_d6r3", "IODDEV_RDEVSID") }}
    ) AS activity
    UNION ALL
    SELECT 'z/OS', 'channel', system, SMF73PID, interval_start, interval_s FROM smf73_channel_data
    UNION ALL
    SELECT 'z/OS', 'queue', system, R783ID2, interval_start, interval_s FROM smf78_3_data
    UNION ALL
    SELECT 'z/OS', 'queue', system, R783ID1, interval_start, interval_s FROM smf78_3_config_control
    UNION ALL
    SELECT 'z/OS', 'queue', system, system, interval_start, interval_s FROM smf78_3_record
    UNION ALL
    SELECT 'z/OS', 'cache', r.subsystem, coalesce(d.subject, r.subsystem), r.interval_start, r.interval_s
    FROM cache_record r
    JOIN (
        SELECT record_id, CAST(coalesce(R745DFL4_DSCS, 0) AS STRING) || R745DEVN AS subject FROM smf74_5_cache_device
        UNION
        SELECT record_id, NULL FROM smf74_5_cache_device
    ) d ON d.record_id = r.record_id
    UNION ALL
    SELECT
        'z/OS', 'box', trim(LEADING '0' FROM c.R748CSER), trim(LEADING '0' FROM c.R748CSER),
        {{ start_of_statistics("c.R748CINT", "c.interval_s", "c.interval_start") }},
        CAST(c.R748CINT AS DOUBLE)
    FROM smf74_8_control c
    WHERE c.R748CSC = 0 AND c.R748CRTN = 0 AND c.R748CIOC = 0
    UNION ALL
    -- every sample has a time of its own: whole seconds keep this short
    SELECT
        'z/VM', 'cache', system, system,
        CAST(timestamp_micros(CAST(floor(unix_micros(interval_start) / 1e6) * 1000000 AS BIGINT)) AS TIMESTAMP),
        round(interval_s)
    FROM (
        SELECT {{ since_sample_before() }}
        {{ monitor_samples("valid_cache", "IODCAD_RDEVSID") }}
    ) AS cache
) AS sampled
WHERE owner <> '' AND subject <> '' AND interval_s > 0 AND interval_start IS NOT NULL

-- reach: a day
-- title: Intervals of records and listings that do not count, because others hold the same time, and why
-- grain: one row per platform, report, owner, subject, interval_start, interval_s, is_listing
-- columns: platform, report, owner
-- column subject VARCHAR []: Device as in device_interval, channel path (2 digits), LCU; the subsystem for what a cache report says of it as a whole; the system for I/O processors, alias groups and z/VM's cache; the box
-- columns: interval_start
-- column interval_s DOUBLE [s]: Length as recorded or printed; of cache and box the gatherer's own (R745CINT, R748CINT)
-- column is_listing BOOLEAN []: A listing or XML, not records
-- column left_out_for VARCHAR []: What counts instead: records or listing (they hold it, or more than half of more than an hour), longer records or longer listing (this is only a part)
-- column missing_s DOUBLE [s]: Seconds of it that what counts instead does not hold
-- note: Records go before listings, records with numbers before others (offline devices), and short intervals before long ones, each device, channel or LCU for itself: a device that only one of two sources measures counts there. A z/VM base decides for its aliases, so a volume never mixes two sources.
-- note: What is shorter replaces an interval if it holds all of it but a fiftieth; a listing of more than an hour if it holds more than half. Else the longer one counts. Intervals with less than half in common both count.
-- note: Intervals of one length never replace each other in records: if a clock was set back, both were measured.
-- note: Records without cache or box statistics (R745CSC, R748CSC and the like not 0) replace nothing.
WITH valid_cache AS (
    SELECT * FROM mon_d6r4 WHERE IODCAD_PSFLEN > 0 AND CALPSF_flags < 128
),
failed AS (
    SELECT DISTINCT record_id FROM smf78_3_global WHERE R783GFLG_GCMF
),
queue AS (
    SELECT record_id, system, R783ID2 AS subject, interval_start, interval_s FROM smf78_3_data
    UNION ALL
    SELECT record_id, system, R783ID1, interval_start, interval_s FROM smf78_3_config_control
    UNION ALL
    SELECT record_id, system, system, interval_start, interval_s FROM smf78_3_record
),
held AS (
    SELECT
        'z/OS' AS platform, 'device' AS report, system AS owner,
        CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS subject, CAST(NULL AS STRING) AS leader,
        interval_start, interval_s,
        CASE WHEN SMF74CNF_STA AND NOT coalesce(SMF74CNF_VAC OR SMF74CNF_CMB, FALSE) THEN 2 ELSE 1 END AS grade
    FROM smf74_1_device_data
    UNION ALL
    SELECT
        'z/OS', 'channel', system, SMF73PID, NULL, interval_start, interval_s,
        CASE WHEN SMF73FG2_STA AND NOT coalesce(SMF73FG2_VAC OR SMF73FG4_NVL, FALSE) THEN 2 ELSE 1 END
    FROM smf73_channel_data
    UNION ALL
    SELECT
        'z/OS', 'queue', q.system, q.subject, NULL, q.interval_start, q.interval_s,
        CASE WHEN f.record_id IS NULL THEN 2 ELSE 1 END
    FROM queue q
    LEFT JOIN failed f ON f.record_id = q.record_id
    UNION ALL
    SELECT
        'z/OS', 'cache', r.subsystem, coalesce(d.subject, r.subsystem), NULL, r.interval_start, r.interval_s, 2
    FROM cache_record r
    JOIN (
        SELECT record_id, CAST(coalesce(R745DFL4_DSCS, 0) AS STRING) || R745DEVN AS subject FROM smf74_5_cache_device
        UNION
        SELECT record_id, NULL FROM smf74_5_cache_device
    ) d ON d.record_id = r.record_id
    UNION ALL
    SELECT
        'z/OS', 'box', trim(LEADING '0' FROM R748CSER), trim(LEADING '0' FROM R748CSER), NULL,
        {{ start_of_statistics("R748CINT", "interval_s", "interval_start") }}, CAST(R748CINT AS DOUBLE), 2
    FROM smf74_8_control
    WHERE R748CSC = 0 AND R748CRTN = 0 AND R748CIOC = 0
    UNION ALL
    SELECT 'z/VM', 'device', system, '0' || IODDEV_RDEVDEV, NULL, {{ whole_second("interval_start") }}, round(interval_s), 2
    FROM (
        SELECT {{ since_sample_before() }}, IODDEV_RDEVDEV
        {{ monitor_samples("mon_d6r3", "IODDEV_RDEVSID") }}
    ) AS activity
    UNION ALL
    SELECT 'z/VM', 'cache', system, system, NULL, {{ whole_second("interval_start") }}, round(interval_s), 2
    FROM (
        SELECT {{ since_sample_before() }}
        {{ monitor_samples("valid_cache", "IODCAD_RDEVSID") }}
    ) AS cache
    UNION ALL
    SELECT platform, report, owner, subject, leader, interval_start, interval_s, 0 FROM _listed
)
SELECT *
FROM (
    {{ left_out_of("held", "platform, report, owner", "leader") }}
) AS decided

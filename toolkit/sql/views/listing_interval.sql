-- view: listing_interval
-- layer: derived
-- title: The intervals that listings are about, brought to UTC, and whether something better measured the same time
-- grain: one row per platform, report, owner, system, printed_start, printed_offset_s, printed_s
-- column platform VARCHAR []: Operating system that measured
-- column report VARCHAR []: What is measured: device, channel, queue, cache or box
-- column owner VARCHAR []: Whose interval it is: the subsystem for a z/OS cache report, the box's serial number without leading zeros for its ESS report, else the system
-- column system VARCHAR []: System id
-- column printed_start TIMESTAMP []: Start of the interval as the raw table has it: local time where the listing tells no offset
-- column printed_offset_s INTEGER [s]: Local time minus UTC where the listing itself tells it; printed_start is UTC then
-- column printed_s DOUBLE [s]: Length of the interval as the raw table has it
-- column interval_start TIMESTAMP [UTC]: Start of the interval = printed_start - utc_offset_s; local time where utc_offset_s is NULL
-- column utc_offset_s INTEGER [s]: Local time minus UTC: the listing's own, else the one of system_clock seen nearest to the printed time, at most 7 days away; NULL if there is none
-- column kept BOOLEAN []: Nothing better measured the owner at the same time: no record, no listing of shorter intervals
-- note: A record measured the same time when the middle of one interval lies inside the other; seconds of difference do not matter.
-- note: z/OS: of listings that overlap one is left out if another with the same start is shorter, or if another begins in its first half.
-- note: z/VM: of the same start the shortest interval counts, volume by volume (device_interval); pages that overlap otherwise all count, and a listing that has such is told of (issue fcx.overlap).
-- note: A system's records win as a whole: where they cover an interval the listing's rows are left out, also those of devices the records do not hold.
-- note: In the hour that is passed twice when clocks go back the first of the two is taken.
WITH printed AS (
    SELECT 'z/OS' AS platform, 'device' AS report, system AS owner, system, interval_start, utc_offset_s, interval_s
    FROM rmf_dasd_device
    UNION
    SELECT 'z/OS', 'device', system, system, interval_start, utc_offset_s, interval_s FROM rmf_sync_device
    UNION
    SELECT 'z/OS', 'channel', system, system, interval_start, utc_offset_s, interval_s FROM rmf_channel
    UNION
    SELECT 'z/OS', 'queue', system, system, interval_start, utc_offset_s, interval_s FROM rmf_ioq_lcu
    UNION
    SELECT 'z/OS', 'cache', subsystem, system, interval_start, utc_offset_s, interval_s FROM rmf_cache_device
    UNION
    SELECT 'z/OS', 'cache', subsystem, system, interval_start, utc_offset_s, interval_s FROM rmf_cache_status
    UNION
    SELECT 'z/OS', 'box', trim(LEADING '0' FROM serial), system, interval_start, utc_offset_s, interval_s FROM rmf_ess_link
    UNION
    SELECT 'z/OS', 'box', trim(LEADING '0' FROM serial), system, interval_start, utc_offset_s, interval_s FROM rmf_ess_sync_link
    UNION
    SELECT 'z/OS', 'box', trim(LEADING '0' FROM serial), system, interval_start, utc_offset_s, interval_s FROM rmf_ess_extent_pool
    UNION
    SELECT 'z/OS', 'box', trim(LEADING '0' FROM serial), system, interval_start, utc_offset_s, interval_s FROM rmf_ess_rank
    UNION
    SELECT 'z/VM', 'device', system, system, interval_start, utc_offset_s, interval_s FROM fcx168
    UNION
    SELECT 'z/VM', 'device', system, system, interval_start, utc_offset_s, interval_s FROM fcx108
    UNION
    SELECT 'z/VM', 'channel', system, system, interval_start, utc_offset_s, interval_s FROM fcx215
    UNION
    SELECT 'z/VM', 'channel', system, system, interval_start, utc_offset_s, interval_s FROM fcx161
    UNION
    SELECT 'z/VM', 'cache', system, system, interval_start, utc_offset_s, interval_s FROM fcx111
),
near AS (
    SELECT
        p.*,
        c.utc_offset_s AS clock_offset_s,
        row_number() OVER (
            PARTITION BY p.platform, p.report, p.owner, p.system, p.interval_start, p.utc_offset_s, p.interval_s
            ORDER BY
                greatest(
                    unix_micros(c.first_seen) + CAST(c.utc_offset_s AS BIGINT) * 1000000 - unix_micros(p.interval_start),
                    unix_micros(p.interval_start) - unix_micros(c.last_seen) - CAST(c.utc_offset_s AS BIGINT) * 1000000,
                    0
                ),
                c.first_seen,
                c.utc_offset_s
        ) AS place
    FROM printed p
    LEFT JOIN system_clock c
        ON c.platform = p.platform
        AND c.system = CASE WHEN p.utc_offset_s IS NULL THEN p.system END
        AND unix_micros(c.first_seen) >= unix_micros(p.interval_start) - 604800000000
        AND unix_micros(c.first_seen) <= unix_micros(p.interval_start) + 604800000000
    WHERE p.owner IS NOT NULL AND p.system IS NOT NULL AND p.interval_start IS NOT NULL
),
placed AS (
    SELECT
        n.*,
        unix_micros(interval_start) - CAST(coalesce(clock_offset_s, 0) AS BIGINT) * 1000000 AS start_us,
        CAST(least(coalesce(interval_s, 0), 604800) * 1000000 AS BIGINT) AS length_us
    FROM near n
    WHERE place = 1
),
recorded AS (
    SELECT DISTINCT
        platform,
        report,
        owner,
        unix_micros(interval_start) AS start_us,
        CAST(least(interval_s, 604800) * 1000000 AS BIGINT) AS length_us
    FROM (
        SELECT 'z/OS' AS platform, 'device' AS report, system AS owner, interval_start, interval_s
        FROM smf74_1_device_control
        WHERE right(coalesce(SMF74SUB, '20'), 2) = '20'
        UNION ALL
        SELECT 'z/OS', 'channel', system, interval_start, interval_s FROM smf73_control
        UNION ALL
        SELECT 'z/OS', 'queue', system, interval_start, interval_s FROM smf78_3_record
        UNION ALL
        SELECT 'z/OS', 'cache', R745SSID, interval_start, interval_s FROM smf74_5_cache_status WHERE R745SSID <> ''
        UNION ALL
        SELECT 'z/OS', 'cache', R745DSID, interval_start, interval_s FROM smf74_5_cache_device WHERE R745DSID <> ''
        UNION ALL
        SELECT 'z/OS', 'box', box, interval_start, interval_s FROM box_record
        UNION ALL
        -- every sample has a time of its own: whole seconds keep this short
        SELECT
            'z/VM', 'device', system,
            timestamp_micros(CAST(floor(unix_micros(interval_start) / 1e6) * 1000000 AS BIGINT)), round(interval_s)
        FROM mon_d6r3
        UNION ALL
        SELECT
            'z/VM', 'cache', system,
            timestamp_micros(CAST(floor(unix_micros(interval_start) / 1e6) * 1000000 AS BIGINT)), round(interval_s)
        FROM mon_d6r4
        WHERE IODCAD_PSFLEN > 0
    ) AS record_interval
    WHERE owner IS NOT NULL AND interval_start IS NOT NULL AND interval_s > 0
),
timeline AS (
    SELECT
        platform, report, owner, system, interval_start, utc_offset_s, interval_s, clock_offset_s, start_us, length_us,
        FALSE AS is_record
    FROM placed
    UNION ALL
    SELECT platform, report, owner, NULL, NULL, NULL, NULL, NULL, start_us, length_us, TRUE
    FROM recorded
),
compared AS (
    SELECT
        t.*,
        -- end of the records that began before the middle of this interval
        max(CASE WHEN is_record THEN start_us + length_us END) OVER (
            PARTITION BY platform, report, owner
            ORDER BY CASE WHEN is_record THEN start_us ELSE start_us + length_us / 2 END
        ) AS record_end_us,
        -- the first record whose middle comes after the start of this interval
        min(CASE WHEN is_record THEN start_us + length_us / 2 END) OVER (
            PARTITION BY platform, report, owner
            ORDER BY CASE WHEN is_record THEN start_us + length_us / 2 ELSE start_us END DESC
        ) AS record_middle_us,
        min(CASE WHEN NOT is_record THEN length_us END) OVER (PARTITION BY platform, report, owner, start_us)
            AS shortest_us,
        min(CASE WHEN NOT is_record THEN start_us END) OVER (
            PARTITION BY platform, report, owner
            ORDER BY start_us
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS next_us
    FROM timeline t
)
SELECT
    platform,
    report,
    owner,
    system,
    interval_start AS printed_start,
    utc_offset_s AS printed_offset_s,
    interval_s AS printed_s,
    CAST(timestamp_micros(start_us) AS TIMESTAMP) AS interval_start,
    CAST(coalesce(utc_offset_s, clock_offset_s) AS INTEGER) AS utc_offset_s,
    NOT (
        coalesce(record_end_us > start_us + length_us / 2, FALSE)
        OR coalesce(record_middle_us < start_us + length_us, FALSE)
        OR (platform = 'z/OS' AND shortest_us < length_us)
        OR (platform = 'z/OS' AND coalesce(next_us < start_us + length_us / 2, FALSE))
    ) AS kept
FROM compared
WHERE NOT is_record

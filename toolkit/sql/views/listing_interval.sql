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
-- column utc_offset_s INTEGER [s]: Local time minus UTC, see listing_clock; NULL if it is not known
-- column kept BOOLEAN []: Rows of it count: nothing better measured the owner, or every device of it, at the same time
-- column left_out_for VARCHAR []: Why no row of it counts: records, listing (a shorter one), clock (another interval has its interval_start once both are brought to UTC); NULL where it is kept
-- note: Devices: records replace only those that they hold, for more than half of the interval; listing_record says which. Of an interval that is kept some devices may be replaced.
-- note: Other reports: a record measured the same time when the middle of one interval lies inside the other; seconds of difference do not matter.
-- note: z/OS: of listings that overlap one is left out if another with the same start is shorter, or if another begins in its first half.
-- note: z/VM: of the same start the shortest interval counts, volume by volume (device_interval); pages that overlap otherwise all count, and a listing that has such is told of (issue fcx.overlap).
WITH printed AS (
    SELECT
        c.*,
        unix_micros(interval_start) AS start_us,
        CAST(least(coalesce(printed_s, 0), 604800) * 1000000 AS BIGINT) AS length_us
    FROM listing_clock c
),
-- device by device
beside AS (
    SELECT platform, system, printed_start, printed_offset_s, printed_s, min(CASE WHEN is_recorded THEN 1 ELSE 0 END) AS all_recorded
    FROM listing_record
    GROUP BY platform, system, printed_start, printed_offset_s, printed_s
),
recorded AS (
    SELECT DISTINCT
        platform,
        report,
        owner,
        unix_micros(interval_start) AS start_us,
        CAST(least(interval_s, 604800) * 1000000 AS BIGINT) AS length_us
    FROM (
        SELECT 'z/OS' AS platform, 'channel' AS report, system AS owner, interval_start, interval_s FROM smf73_control
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
            'z/VM', 'cache', system,
            timestamp_micros(CAST(floor(unix_micros(interval_start) / 1e6) * 1000000 AS BIGINT)), round(interval_s)
        FROM mon_d6r4
        WHERE IODCAD_PSFLEN > 0
    ) AS record_interval
    WHERE owner IS NOT NULL AND interval_start IS NOT NULL AND interval_s > 0
),
timeline AS (
    SELECT
        platform, report, owner, system, printed_start, printed_offset_s, printed_s, utc_offset_s, clashes, is_replaced,
        start_us, length_us, FALSE AS is_record
    FROM printed
    UNION ALL
    SELECT platform, report, owner, NULL, NULL, NULL, NULL, NULL, NULL, NULL, start_us, length_us, TRUE
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
        ) AS record_middle_us
    FROM timeline t
),
judged AS (
    SELECT
        c.*,
        CASE
            WHEN clashes THEN 'clock'
            WHEN is_replaced THEN 'listing'
            WHEN b.all_recorded = 1 OR record_end_us > start_us + length_us / 2 OR record_middle_us < start_us + length_us
                THEN 'records'
        END AS left_out_for
    FROM compared c
    LEFT JOIN beside b
        ON b.platform = c.platform
        AND b.system = CASE WHEN c.report = 'device' THEN c.system END
        AND b.printed_start = c.printed_start
        AND b.printed_offset_s IS NOT DISTINCT FROM c.printed_offset_s
        AND b.printed_s IS NOT DISTINCT FROM c.printed_s
    WHERE NOT is_record
)
SELECT
    platform,
    report,
    owner,
    system,
    printed_start,
    printed_offset_s,
    printed_s,
    CAST(timestamp_micros(start_us) AS TIMESTAMP) AS interval_start,
    utc_offset_s,
    left_out_for IS NULL AS kept,
    left_out_for
FROM judged

-- view: listing_interval
-- layer: derived
-- title: The intervals that listings are about, brought to UTC, and whether something better measured the same time
-- grain: one row per platform, report, subject, system, printed_start, printed_offset_s, printed_s
-- column platform VARCHAR []: Operating system that measured
-- column report VARCHAR []: What is measured: device, channel, queue or cache
-- column subject VARCHAR []: Subsystem the report is about (z/OS cache); empty for the others
-- column system VARCHAR []: System id
-- column printed_start TIMESTAMP []: Start of the interval as the raw table has it: local time where the listing tells no offset
-- column printed_offset_s INTEGER [s]: Local time minus UTC where the listing itself tells it; printed_start is UTC then
-- column printed_s DOUBLE [s]: Length of the interval as the raw table has it
-- column interval_start TIMESTAMP [UTC]: Start of the interval = printed_start - utc_offset_s; local time where utc_offset_s is NULL
-- column utc_offset_s INTEGER [s]: Local time minus UTC: the listing's own, else that of the span of system_clock nearest to the printed time, at most 7 days away; NULL if there is none
-- column kept BOOLEAN []: Nothing better measured the same time: no record of the system (of any system for a z/OS subsystem), no shorter z/OS listing, and for a z/OS subsystem no listing of a system that comes before by name
-- note: Two intervals are of the same time when the middle of one lies inside the other; seconds of difference do not matter.
-- note: A system's records win as a whole: where they cover an interval the listing's rows are left out, also those of devices the records do not hold.
-- note: In the hour that is passed twice when clocks go back the first of the two is taken.
WITH printed AS (
    SELECT 'z/OS' AS platform, 'device' AS report, '' AS subject, system, interval_start, utc_offset_s, interval_s
    FROM rmf_dasd_device
    UNION
    SELECT 'z/OS', 'channel', '', system, interval_start, utc_offset_s, interval_s FROM rmf_channel
    UNION
    SELECT 'z/OS', 'queue', '', system, interval_start, utc_offset_s, interval_s FROM rmf_ioq_lcu
    UNION
    SELECT 'z/OS', 'cache', subsystem, system, interval_start, utc_offset_s, interval_s FROM rmf_cache_device
    UNION
    SELECT 'z/OS', 'cache', subsystem, system, interval_start, utc_offset_s, interval_s FROM rmf_cache_status
    UNION
    SELECT 'z/VM', 'device', '', system, interval_start, utc_offset_s, interval_s FROM fcx168
    UNION
    SELECT 'z/VM', 'device', '', system, interval_start, utc_offset_s, interval_s FROM fcx108
    UNION
    SELECT 'z/VM', 'channel', '', system, interval_start, utc_offset_s, interval_s FROM fcx215
    UNION
    SELECT 'z/VM', 'channel', '', system, interval_start, utc_offset_s, interval_s FROM fcx161
    UNION
    SELECT 'z/VM', 'cache', '', system, interval_start, utc_offset_s, interval_s FROM fcx111
),
clock AS (
    SELECT
        platform,
        system,
        utc_offset_s,
        unix_micros(span_start) + CAST(utc_offset_s AS BIGINT) * 1000000 AS first_us,
        unix_micros(span_end) + CAST(utc_offset_s AS BIGINT) * 1000000 AS last_us
    FROM system_clock
),
near AS (
    SELECT
        p.*,
        c.utc_offset_s AS clock_offset_s,
        row_number() OVER (
            PARTITION BY p.platform, p.report, p.subject, p.system, p.interval_start, p.utc_offset_s, p.interval_s
            ORDER BY
                greatest(c.first_us - unix_micros(p.interval_start), unix_micros(p.interval_start) - c.last_us, 0),
                c.first_us
        ) AS place
    FROM printed p
    LEFT JOIN clock c
        ON c.platform = p.platform
        AND c.system = p.system
        AND p.utc_offset_s IS NULL
        AND unix_micros(p.interval_start) BETWEEN c.first_us - 604800000000 AND c.last_us + 604800000000
    WHERE p.system IS NOT NULL AND p.interval_start IS NOT NULL AND p.subject IS NOT NULL
),
placed AS (
    SELECT
        n.platform, n.report, n.subject, n.system,
        n.interval_start AS printed_start,
        n.utc_offset_s AS printed_offset_s,
        n.interval_s AS printed_s,
        CAST(coalesce(n.utc_offset_s, n.clock_offset_s) AS INTEGER) AS utc_offset_s,
        unix_micros(n.interval_start) - CAST(coalesce(n.clock_offset_s, 0) AS BIGINT) * 1000000 AS start_us,
        CAST(least(coalesce(n.interval_s, 0), 604800) * 1000000 AS BIGINT) AS length_us,
        CASE WHEN n.platform = 'z/OS' THEN round(coalesce(n.interval_s, 0) / 60) ELSE 0 END AS minutes
    FROM near n
    WHERE n.place = 1
),
recorded AS (
    SELECT 'z/OS' AS platform, 'device' AS report, '' AS subject, system, interval_start, interval_s
    FROM smf74_1_device_control
    WHERE right(coalesce(SMF74SUB, '20'), 2) = '20'
    UNION
    SELECT 'z/OS', 'channel', '', system, interval_start, interval_s FROM smf73_control
    UNION
    SELECT 'z/OS', 'queue', '', system, interval_start, interval_s FROM smf78_3_record
    UNION
    SELECT 'z/OS', 'cache', subsystem, system, interval_start, interval_s FROM cache_record WHERE kept
    UNION
    -- every sample has a time of its own: whole seconds keep this short
    SELECT
        'z/VM', 'device', '', system,
        timestamp_micros(CAST(floor(unix_micros(interval_start) / 1000000.0) * 1000000 AS BIGINT)), round(interval_s)
    FROM mon_d6r3
    WHERE interval_s > 0
    UNION
    SELECT
        'z/VM', 'cache', '', system,
        timestamp_micros(CAST(floor(unix_micros(interval_start) / 1000000.0) * 1000000 AS BIGINT)), round(interval_s)
    FROM mon_d6r4
    WHERE interval_s > 0 AND IODCAD_PSFLEN > 0
),
rival AS (
    SELECT platform, report, subject, system, unix_micros(interval_start) AS start_us,
        CAST(least(coalesce(interval_s, 0), 604800) * 1000000 AS BIGINT) AS length_us, -1 AS minutes
    FROM recorded
    WHERE interval_start IS NOT NULL
    UNION
    SELECT platform, report, subject, system, start_us, length_us, minutes FROM placed
),
longest AS (
    SELECT greatest(max(length_us), 1000000) AS length_us FROM rival
),
-- intervals of the same time lie in the same or in neighbouring slots as long as the longest of all
mine AS (
    SELECT p.*, floor((p.start_us + p.length_us / 2) / CAST(g.length_us AS DOUBLE)) AS slot
    FROM placed p
    CROSS JOIN longest g
),
other AS (
    SELECT r.*, floor((r.start_us + r.length_us / 2) / CAST(g.length_us AS DOUBLE)) + s.step AS slot
    FROM rival r
    CROSS JOIN longest g
    CROSS JOIN (SELECT -1 AS step UNION ALL SELECT 0 UNION ALL SELECT 1) s
),
beaten AS (
    SELECT DISTINCT m.platform, m.report, m.subject, m.system, m.printed_start, m.printed_offset_s, m.printed_s
    FROM mine m
    JOIN other o ON o.platform = m.platform AND o.report = m.report AND o.subject = m.subject AND o.slot = m.slot
    WHERE (
            (m.start_us + m.length_us / 2 >= o.start_us AND m.start_us + m.length_us / 2 < o.start_us + o.length_us)
            OR (o.start_us + o.length_us / 2 >= m.start_us AND o.start_us + o.length_us / 2 < m.start_us + m.length_us)
        )
        AND (
            (o.system = m.system AND o.minutes < m.minutes)
            OR (m.subject <> '' AND o.minutes < m.minutes)
            OR (m.subject <> '' AND o.minutes = m.minutes AND o.system < m.system)
        )
)
SELECT
    p.platform,
    p.report,
    p.subject,
    p.system,
    p.printed_start,
    p.printed_offset_s,
    p.printed_s,
    timestamp_micros(p.start_us) AS interval_start,
    p.utc_offset_s,
    b.system IS NULL AS kept
FROM placed p
LEFT JOIN beaten b
    ON b.platform = p.platform
    AND b.report = p.report
    AND b.subject = p.subject
    AND b.system = p.system
    AND b.printed_start = p.printed_start
    AND b.printed_offset_s IS NOT DISTINCT FROM p.printed_offset_s
    AND b.printed_s IS NOT DISTINCT FROM p.printed_s

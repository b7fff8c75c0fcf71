-- view: system_clock
-- layer: derived
-- title: How far each system's local time was from UTC, as its own records say
-- grain: one row per platform, system, span_start
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column utc_offset_s INTEGER [s]: Local time minus UTC throughout the span = SMFnnLGO of types 73, 74.1, 74.5 and 78.3; MTRSYS_SYSZONE
-- column span_start TIMESTAMP [UTC]: Start of the first interval recorded with this offset
-- column span_end TIMESTAMP [UTC]: Start of the last one before the offset changed
-- note: Listings print local time and no offset; this is what brings them to UTC, see listing_interval.
WITH sighting AS (
    SELECT 'z/OS' AS platform, system, interval_start, utc_offset_s FROM smf74_1_record
    UNION ALL
    SELECT 'z/OS' AS platform, system, interval_start, utc_offset_s FROM smf74_5_record
    UNION ALL
    SELECT 'z/OS' AS platform, system, interval_start, utc_offset_s FROM smf73_record
    UNION ALL
    SELECT 'z/OS' AS platform, system, interval_start, utc_offset_s FROM smf78_3_record
    UNION ALL
    SELECT 'z/VM' AS platform, system, MRHDRTOD AS interval_start, utc_offset_s FROM mon_d6r3
    UNION ALL
    SELECT 'z/VM' AS platform, system, MRHDRTOD AS interval_start, utc_offset_s FROM mon_d6r4
),
hour_seen AS (
    SELECT
        platform,
        system,
        utc_offset_s,
        min(interval_start) AS first_seen,
        max(interval_start) AS last_seen
    FROM sighting
    WHERE system IS NOT NULL AND interval_start IS NOT NULL AND utc_offset_s IS NOT NULL
    GROUP BY platform, system, utc_offset_s, floor(unix_micros(interval_start) / 3600000000.0)
),
compared AS (
    SELECT
        h.*,
        CASE
            WHEN lag(utc_offset_s) OVER (PARTITION BY platform, system ORDER BY first_seen, last_seen, utc_offset_s)
                = utc_offset_s THEN 0
            ELSE 1
        END AS changed
    FROM hour_seen h
),
numbered AS (
    SELECT
        c.*,
        sum(changed) OVER (PARTITION BY platform, system ORDER BY first_seen, last_seen, utc_offset_s) AS span
    FROM compared c
)
SELECT
    platform,
    system,
    CAST(utc_offset_s AS INTEGER) AS utc_offset_s,
    min(first_seen) AS span_start,
    max(last_seen) AS span_end
FROM numbered
GROUP BY platform, system, span, utc_offset_s

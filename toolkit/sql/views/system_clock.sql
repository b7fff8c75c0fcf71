-- title: Offset of each system's local time from UTC, from its own records
-- grain: one row per platform, system, day, utc_offset_s
-- columns: platform, system, day
-- column utc_offset_s INTEGER [s]: Local time minus UTC = SMFnnLGO of types 73, 74.1, 74.5 and 78.3; MTRSYS_SYSZONE
-- column first_seen TIMESTAMP [UTC]: Start of the day's first interval recorded with this offset
-- columns: last_seen
-- note: Listings print local time without an offset. This view converts them to UTC, see listing_clock.
SELECT *, CAST(interval_start AS DATE) AS day, interval_start AS first_seen FROM _clock_day

-- reach: a day
-- title: Offset of each system's local time from UTC, day by day
-- grain: one row per platform, system, day, utc_offset_s
-- columns: platform, system
-- column interval_start TIMESTAMP [UTC]: Start of the day's first interval recorded with this offset
-- columns: last_seen
-- column utc_offset_s INTEGER [s]: Local time minus UTC = SMFnnLGO of types 73, 74.1, 74.5 and 78.3; MTRSYS_SYSZONE
WITH sampled AS (
    SELECT system, MRHDRTOD FROM mon_d6r3
    UNION
    SELECT system, MRHDRTOD FROM mon_d6r4
)
SELECT
    platform, system, utc_offset_s,
    min(interval_start) AS interval_start,
    max(interval_start) AS last_seen
FROM (
    {% for record in ["smf74_1", "smf74_5", "smf73", "smf78_3"] -%}
    SELECT 'z/OS' AS platform, system, interval_start, utc_offset_s FROM {{ record }}_record
    UNION ALL
    {% endfor -%}
    SELECT 'z/VM', s.owner, s.MRHDRTOD, c.zone_s
    FROM {{ monitor_records("sampled") }} s
    JOIN monitor_system c ON c.system = s.owner AND s.MRHDRTOD >= c.since AND s.MRHDRTOD < c.until
) AS sighting
WHERE system IS NOT NULL AND interval_start IS NOT NULL AND utc_offset_s IS NOT NULL
GROUP BY platform, system, CAST(interval_start AS DATE), utc_offset_s

-- reach: a day
-- title: The intervals in which each system measured volumes
-- grain: one row per platform, system, interval_start, is_shorter
-- columns: platform, system, interval_start, is_shorter, interval_s, longest_s
-- column offset_s INTEGER [s]: Local time minus UTC, as recorded
WITH longest AS (
    SELECT platform, system, interval_start, interval_s, max(utc_offset_s) AS offset_s
    FROM volume_interval
    GROUP BY platform, system, interval_start, interval_s
),
lengthened AS (
    SELECT
        platform, system, interval_start, interval_s, offset_s,
        max(interval_s) OVER (PARTITION BY platform, system, interval_start) AS longest_s
    FROM longest
)
SELECT
    platform, system, interval_start,
    1.5 * interval_s < longest_s AS is_shorter,
    {{ each("max(NAME)", "interval_s longest_s offset_s") }}
FROM lengthened
GROUP BY platform, system, interval_start, 1.5 * interval_s < longest_s

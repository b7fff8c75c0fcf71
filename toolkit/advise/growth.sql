-- title: I/Os, their time and read misses of volumes, and use of channels, at the hours of a window, day by day
-- grain: one row per system, kind, name, day
-- parameter $start_us DOUBLE [microseconds]: Start, local time
-- parameter $end_us DOUBLE [microseconds]: End
-- parameter $volumes VARCHAR []: Their names, each between two |
-- parameter $channels VARCHAR []: The same of channels
-- column kind VARCHAR []: ios, time, reads or misses of a volume, or use of a channel
-- column name VARCHAR []: Volume or channel
-- column day BIGINT [days]: After the day of the window, below 0 before it
-- column level DOUBLE []: Rate per s of a volume, those over zHyperLink too, or ms in I/Os per s; busy ratio of a channel
{% set day = "CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT)" -%}
WITH by_day AS (
    SELECT
        system, volume, {{ day }} AS day,
        {{ mean_of("io_rate", "interval_s") }} AS ios,
        {{ mean_of("io_rate * response_ms", "interval_s") }} AS time_ms,
        {{ mean_of("io_rate * read_ratio * (1 - read_hit_ratio)", "interval_s") }} AS misses,
        {{ mean_of("(io_rate * read_ratio + coalesce(sync_read_rate, 0))", "interval_s") }} AS reads
    FROM volume_interval
    WHERE instr($volumes, '|' || volume || '|') > 0 AND interval_s > 0
        AND NOT {{ is_other_time("unix_micros(local_start) + 5e5 * interval_s", "TRUE") }}
    GROUP BY system, volume, {{ day }}
)
SELECT system, kind, name, day, level
FROM (
    SELECT
        system, kind, volume AS name, day,
        CASE kind WHEN 'ios' THEN ios WHEN 'time' THEN time_ms WHEN 'misses' THEN misses ELSE reads END AS level
    FROM by_day
    CROSS JOIN (VALUES ('ios'), ('time'), ('reads'), ('misses')) AS kinds (kind)
    UNION ALL
    SELECT
        system, 'use', channel_path, {{ day }},
        {{ mean_of("busy_ratio", "interval_s") }}
    FROM channel_interval
    WHERE instr($channels, '|' || channel_path || '|') > 0 AND interval_s > 0
        AND NOT {{ is_other_time("unix_micros(local_start) + 5e5 * interval_s", "TRUE") }}
    GROUP BY system, channel_path, {{ day }}
) AS each_day
WHERE level IS NOT NULL
ORDER BY day, system, kind, name

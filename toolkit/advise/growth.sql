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
WITH seen AS (
    SELECT
        system, kind, volume AS name, local_start, interval_s,
        CASE kind WHEN 'ios' THEN io_rate WHEN 'time' THEN io_rate * response_ms
            WHEN 'misses' THEN io_rate * read_ratio * (1 - read_hit_ratio)
            ELSE io_rate * read_ratio + coalesce(sync_read_rate, 0) END AS level
    FROM volume_interval
    CROSS JOIN (VALUES ('ios'), ('time'), ('reads'), ('misses')) AS kinds (kind)
    WHERE instr($volumes, '|' || volume || '|') > 0
    UNION ALL
    SELECT system, 'use', channel_path, local_start, interval_s, busy_ratio
    FROM channel_interval
    WHERE instr($channels, '|' || channel_path || '|') > 0
)
SELECT
    system, kind, name, CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT) AS day,
    sum(level * interval_s) / sum(interval_s) AS level
FROM seen
WHERE level IS NOT NULL AND interval_s > 0 AND NOT {{ is_other_time("unix_micros(local_start) + 5e5 * interval_s", "TRUE") }}
GROUP BY system, kind, name, CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT)
ORDER BY day, system, kind, name

-- title: I/Os of volumes, and use of channels, at the hours of a window, day by day
-- grain: one row per system, is_channel, name, day
-- parameter $start_us DOUBLE [microseconds]: Start, local time
-- parameter $end_us DOUBLE [microseconds]: End
-- parameter $volumes VARCHAR []: Their names, each between two |
-- parameter $channels VARCHAR []: The same of channels
-- column is_channel BOOLEAN []: A channel, else a volume
-- column name VARCHAR []: Volume or channel
-- column day BIGINT [days]: After the day of the window, below 0 before it
-- column level DOUBLE []: I/Os per s of a volume, busy ratio of a channel
WITH seen AS (
    SELECT system, FALSE AS is_channel, volume AS name, io_rate AS level, local_start, interval_s
    FROM volume_interval
    WHERE io_rate IS NOT NULL AND instr($volumes, '|' || volume || '|') > 0
    UNION ALL
    SELECT system, TRUE, channel_path, busy_ratio, local_start, interval_s
    FROM channel_interval
    WHERE busy_ratio IS NOT NULL AND instr($channels, '|' || channel_path || '|') > 0
)
SELECT
    system, is_channel, name, CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT) AS day,
    sum(level * interval_s) / sum(interval_s) AS level
FROM seen
WHERE interval_s > 0 AND NOT {{ is_other_time("unix_micros(local_start) + 5e5 * interval_s", "TRUE") }}
GROUP BY system, is_channel, name, CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT)
ORDER BY day, system, is_channel, name

-- question: growth
-- title: I/Os of volumes at the hours of a window, day by day
-- grain: one row per system, volume, day
-- parameter $start_us DOUBLE [microseconds]: Start, local time
-- parameter $end_us DOUBLE [microseconds]: End
-- parameter $is_daily BOOLEAN []: True
-- parameter $volumes VARCHAR []: Their names, each between two |
-- column day BIGINT [days]: After the day of the window, below 0 before it
SELECT
    system, volume, CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT) AS day,
    sum(io_rate * interval_s) / sum(interval_s) AS io_rate
FROM volume_interval
WHERE io_rate IS NOT NULL AND interval_s > 0 AND instr($volumes, '|' || volume || '|') > 0
    AND NOT {{ is_other_time("unix_micros(local_start) + 5e5 * interval_s") }}
GROUP BY system, volume, CAST(floor((unix_micros(local_start) - $start_us) / 8.64e10) AS BIGINT)
ORDER BY day, system, volume

-- title: I/Os, their time and read misses of volumes, and use of channels, at the hours of a window, hour by hour
-- grain: one row per hour
-- parameter $start_us DOUBLE [microseconds]: Start, local time
-- parameter $end_us DOUBLE [microseconds]: End
-- parameter $systems VARCHAR []: Names of systems, each between two |
-- parameter $volumes VARCHAR []: The same of their volumes
-- parameter $channels VARCHAR []: The same of their channels
-- column hour BIGINT [hours]: After the start of the window, below 0 before it
-- column ios DOUBLE [per second]: Of all volumes; NULL without any of them, as the next
-- column time_ms DOUBLE [milliseconds]: Summed over the I/Os of a second
-- column misses DOUBLE [per second]: Reads that miss
-- column reads DOUBLE [per second]: Reads, those over zHyperLink too
-- column busy DOUBLE [ratio]: Mean use of the channels; NULL without any
{% set hour = "CAST(floor((unix_micros(local_start) - $start_us) / 3.6e9) AS BIGINT)" -%}
{% set is_asked = "instr($systems, '|' || system || '|') > 0 AND interval_s > 0 AND NOT "
    ~ is_other_time("unix_micros(local_start) + 5e5 * interval_s", "TRUE") -%}
WITH each AS (
    SELECT
        {{ hour }} AS hour,
        {{ mean_of("io_rate", "interval_s") }} AS ios,
        {{ mean_of("io_rate * response_ms", "interval_s") }} AS time_ms,
        {{ mean_of("io_rate * read_ratio * (1 - read_hit_ratio)", "interval_s") }} AS misses,
        {{ mean_of("(io_rate * read_ratio + coalesce(sync_read_rate, 0))", "interval_s") }} AS reads,
        CAST(NULL AS DOUBLE) AS busy
    FROM volume_interval
    WHERE instr($volumes, '|' || volume || '|') > 0 AND {{ is_asked }}
    GROUP BY system, volume, {{ hour }}
    UNION ALL
    SELECT {{ hour }}, NULL, NULL, NULL, NULL, {{ mean_of("busy_ratio", "interval_s") }}
    FROM channel_interval
    WHERE instr($channels, '|' || channel_path || '|') > 0 AND {{ is_asked }}
    GROUP BY system, channel_path, {{ hour }}
)
SELECT hour, {{ each("sum(NAME)", "ios time_ms misses reads") }}, avg(busy) AS busy
FROM each
GROUP BY hour
ORDER BY hour

-- question: data_rate
-- title: Megabytes read and written per second over all channels
-- grain: one row per t
-- column t TIMESTAMP []: Start of the step, local time
-- column step_s INTEGER [s]: Length of the step
-- column read_mb DOUBLE [megabytes per second]: Bytes read
-- column write_mb DOUBLE [megabytes per second]: Bytes written
WITH local AS (
    /* steps of channel_interval */
),
by_interval AS (
    SELECT
        platform,
        system,
        t,
        interval_start,
        max(step_s) AS step_s,
        max(interval_s) AS interval_s,
        sum(coalesce(partition_read_bytes_rate, read_bytes_rate)) AS read_bytes_rate,
        sum(coalesce(partition_write_bytes_rate, write_bytes_rate)) AS write_bytes_rate
    FROM local
    GROUP BY platform, system, t, interval_start
),
by_system AS (
    SELECT
        platform,
        system,
        t,
        max(step_s) AS step_s,
        sum(read_bytes_rate * interval_s) / sum(interval_s) AS read_bytes_rate,
        sum(write_bytes_rate * interval_s) / sum(interval_s) AS write_bytes_rate
    FROM by_interval
    WHERE read_bytes_rate IS NOT NULL AND write_bytes_rate IS NOT NULL AND interval_s > 0
    GROUP BY platform, system, t
)
SELECT t, max(step_s) AS step_s, sum(read_bytes_rate) / 1e6 AS read_mb, sum(write_bytes_rate) / 1e6 AS write_mb
FROM by_system
GROUP BY t
ORDER BY t

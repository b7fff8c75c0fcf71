-- question: hours
-- title: I/Os and response time of all volumes, hour by hour
-- grain: one row per t
-- column t TIMESTAMP []: Start of the hour, local time
-- column io_rate DOUBLE [per second]: I/Os
-- column response_ms DOUBLE [milliseconds]: Response time per I/O
SELECT
    CAST(date_trunc('hour', local_start) AS TIMESTAMP) AS t,
    sum(io_rate * interval_s) / 3600 AS io_rate,
    sum(io_rate * interval_s * response_ms) / nullif(sum(CASE WHEN response_ms IS NOT NULL THEN io_rate * interval_s END), 0)
        AS response_ms
FROM volume_interval
WHERE io_rate > 0
GROUP BY date_trunc('hour', local_start)
ORDER BY t

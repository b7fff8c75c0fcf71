-- title: I/Os and response time of all volumes, hour by hour
-- grain: one row per t
-- columns: t, io_rate, response_ms
SELECT
    CAST(date_trunc('hour', local_start) AS TIMESTAMP) AS t,
    sum(all_ios) / 3600 AS io_rate,
    sum(response) / nullif(sum(ios), 0) AS response_ms
FROM _unit_interval
WHERE all_ios > 0
GROUP BY date_trunc('hour', local_start)
ORDER BY t

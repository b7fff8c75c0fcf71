-- question: response_over_time
-- title: Where the response time of all volumes goes, over time
-- grain: one row per t
-- column t TIMESTAMP []: Start of the step, local time
-- column step_s INTEGER [s]: Length of the step
-- column iosq DOUBLE [milliseconds]: IOSQ per I/O, weighted by I/Os
-- column pend DOUBLE [milliseconds]: Pend per I/O
-- column disc DOUBLE [milliseconds]: Disconnect per I/O
-- column conn DOUBLE [milliseconds]: Connect per I/O
-- column ios DOUBLE []: I/Os
WITH local AS (
    /* steps of volume_interval */
)
SELECT
    t,
    max(step_s) AS step_s,
    coalesce(sum(io_rate * wait_ms * interval_s) / nullif(sum(io_rate * interval_s), 0), 0) AS iosq,
    coalesce(sum(io_rate * pend_ms * interval_s) / nullif(sum(io_rate * interval_s), 0), 0) AS pend,
    coalesce(sum(io_rate * disc_ms * interval_s) / nullif(sum(io_rate * interval_s), 0), 0) AS disc,
    coalesce(sum(io_rate * conn_ms * interval_s) / nullif(sum(io_rate * interval_s), 0), 0) AS conn,
    sum(io_rate * interval_s) AS ios
FROM local
WHERE io_rate > 0 AND response_ms IS NOT NULL
GROUP BY t
ORDER BY t

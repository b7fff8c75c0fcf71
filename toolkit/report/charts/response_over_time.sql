-- question: response_over_time
-- title: Where the response time of all volumes goes, over time
-- grain: one row per t
-- column t TIMESTAMP []: Start of the step, local time
-- column step_s INTEGER [s]: Length of the step
-- column iosq DOUBLE [milliseconds]: IOSQ per I/O, weighted by I/Os
-- column pend DOUBLE [milliseconds]: Pend per I/O
-- column disc DOUBLE [milliseconds]: Disconnect per I/O
-- column conn DOUBLE [milliseconds]: Connect per I/O
-- column unknown DOUBLE [milliseconds]: Rest of the response per I/O, where a part is not known
-- column ios DOUBLE []: I/Os
WITH local AS (
    /* steps of volume_interval */
)
SELECT
    t,
    max(step_s) AS step_s,
    /* response parts */,
    sum(io_rate * interval_s) AS ios
FROM local
WHERE io_rate > 0 AND response_ms IS NOT NULL
GROUP BY t
ORDER BY t

-- question: time_breakdown
-- title: Where the response time of all volumes goes
-- grain: one row
-- column ios DOUBLE [I/Os]: I/Os of all volumes
-- column wait_sum_ms DOUBLE [milliseconds]: IOSQ of all I/Os, added up
-- column pend_sum_ms DOUBLE [milliseconds]: Pend of all I/Os, added up
-- column disc_sum_ms DOUBLE [milliseconds]: Disconnect of all I/Os, added up
-- column conn_sum_ms DOUBLE [milliseconds]: Connect of all I/Os, added up
-- column volumes BIGINT []: Volumes
-- column span_s DOUBLE [s]: From the first interval to the end of the last
SELECT
    sum(io_rate * interval_s) AS ios,
    sum(io_rate * wait_ms * interval_s) AS wait_sum_ms,
    sum(io_rate * pend_ms * interval_s) AS pend_sum_ms,
    sum(io_rate * disc_ms * interval_s) AS disc_sum_ms,
    sum(io_rate * conn_ms * interval_s) AS conn_sum_ms,
    count(DISTINCT volume) AS volumes,
    CAST(max(unix_micros(local_end)) - min(unix_micros(local_start)) AS DOUBLE) / 1000000 AS span_s
FROM volume_interval
WHERE io_rate > 0

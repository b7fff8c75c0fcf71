-- title: Response time, and by component for volumes with known components
-- grain: one row
-- column wait_sum_ms DOUBLE [milliseconds]: IOSQ of all I/Os, added up
-- column pend_sum_ms DOUBLE [milliseconds]: Pend of all I/Os, added up
-- column disc_sum_ms DOUBLE [milliseconds]: Disconnect of all I/Os, added up
-- column conn_sum_ms DOUBLE [milliseconds]: Connect of all I/Os, added up
-- column response_ms DOUBLE [milliseconds]: Mean response of all volumes with a known response, or with all its components
-- column timed_volumes BIGINT []: These volumes
-- column all_volumes BIGINT []: Volumes with I/O
WITH busy AS (
    SELECT
        *, coalesce(wait_ms + pend_ms + disc_ms + conn_ms, response_ms) AS all_ms, io_rate * interval_s AS all_ios,
        CASE WHEN wait_ms + pend_ms + disc_ms + conn_ms IS NOT NULL THEN io_rate * interval_s END AS ios
    FROM volume_interval
    WHERE io_rate > 0
)
SELECT
    sum(ios) AS ios,
    {{ each("sum(ios * NAME_ms)", "wait pend disc conn", "NAME_sum_ms") }},
    count(DISTINCT CASE WHEN ios IS NOT NULL THEN volume END) AS volumes,
    {{ mean_of("all_ms", "all_ios") }} AS response_ms,
    count(DISTINCT CASE WHEN all_ms IS NOT NULL THEN volume END) AS timed_volumes,
    count(DISTINCT volume) AS all_volumes,
    CAST(max(unix_micros(local_end)) - min(unix_micros(local_start)) AS DOUBLE) / 1000000 AS span_s
FROM busy

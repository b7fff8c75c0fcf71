-- title: Where the response time of all volumes goes, over time
-- grain: one row per t
-- columns: t, step_s, intervals, iosq, pend, disc, conn, unknown, ios
-- column least_ms DOUBLE [milliseconds]: Response time per I/O in the fastest interval of the step
-- column most_ms DOUBLE [milliseconds]: Response time per I/O in the slowest interval of the step
-- columns: most_at
-- column most_iosq DOUBLE [milliseconds]: IOSQ per I/O in it
-- column most_pend DOUBLE [milliseconds]: Pend per I/O in it
-- column most_disc DOUBLE [milliseconds]: Disconnect per I/O in it
-- column most_conn DOUBLE [milliseconds]: Connect per I/O in it
-- column most_unknown DOUBLE [milliseconds]: Rest of the response per I/O in it, where a part is not known
WITH local AS (
    {{ steps_of("volume_interval") }}
),
by_step AS (
    SELECT t, max(step_s) AS step_s, sum(io_rate * interval_s) AS ios, {{ response_parts() }}
    FROM local
    WHERE io_rate > 0 AND response_ms IS NOT NULL
    GROUP BY t
),
by_interval AS (
    SELECT
        t, min(local_start) AS began,
        sum(io_rate * response_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS response_ms,
        {{ response_parts() }}
    FROM local
    WHERE io_rate > 0 AND response_ms IS NOT NULL
    GROUP BY t, slot
),
placed AS (
    SELECT
        *, row_number() OVER (PARTITION BY t ORDER BY response_ms DESC NULLS LAST, began) AS place,
        count(*) OVER (PARTITION BY t) AS intervals, min(response_ms) OVER (PARTITION BY t) AS least_ms
    FROM by_interval
)
SELECT
    s.t, s.step_s, p.intervals, s.iosq, s.pend, s.disc, s.conn, s.unknown, s.ios, p.least_ms,
    p.response_ms AS most_ms, p.began AS most_at,
    {{ each("p.NAME", "iosq pend disc conn unknown", "most_NAME") }}
FROM by_step s
JOIN placed p ON p.t = s.t AND p.place = 1
ORDER BY s.t

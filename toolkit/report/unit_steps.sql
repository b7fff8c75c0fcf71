-- question: unit_steps
-- title: Sums of every LCU of a system, and of its volumes in no LCU, over time
-- grain: one row per platform, system, unit, t
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that measured
-- column unit VARCHAR []: LCU, or an empty text
-- column t TIMESTAMP []: Start of the step, local time
-- column step_s INTEGER [s]: Length of the step
-- column seconds DOUBLE [s]: Time measured in the step
-- column ios DOUBLE []: I/Os
-- column iosq DOUBLE [milliseconds]: IOSQ per I/O, weighted by I/Os
-- column pend DOUBLE [milliseconds]: Pend per I/O
-- column disc DOUBLE [milliseconds]: Disconnect per I/O
-- column conn DOUBLE [milliseconds]: Connect per I/O
-- column unknown DOUBLE [milliseconds]: Rest of the response per I/O, where a part is not known
-- note: iosq, pend, disc, conn and unknown are milliseconds summed over the I/Os.
WITH local AS (
    {{ steps_of("volume_interval") }}
),
by_interval AS (
    SELECT
        platform,
        system,
        coalesce(lcu, '') AS unit,
        t,
        interval_start,
        max(step_s) AS step_s,
        max(interval_s) AS interval_s,
        sum(io_rate * interval_s) AS ios,
        {{ response_parts() }}
    FROM local
    WHERE io_rate > 0 AND response_ms IS NOT NULL
    GROUP BY platform, system, coalesce(lcu, ''), t, interval_start
)
SELECT
    platform,
    system,
    unit,
    t,
    max(step_s) AS step_s,
    sum(interval_s) AS seconds,
    sum(ios) AS ios,
    sum(ios * iosq) AS iosq,
    sum(ios * pend) AS pend,
    sum(ios * disc) AS disc,
    sum(ios * conn) AS conn,
    sum(ios * unknown) AS unknown
FROM by_interval
GROUP BY platform, system, unit, t
ORDER BY platform, system, unit, t

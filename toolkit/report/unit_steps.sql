-- title: Sums of every LCU of a system, and of its volumes in no LCU, over time
-- grain: one row per platform, system, unit, t
-- columns: platform, system, unit, t, step_s
-- column seconds DOUBLE [s]: Time measured in the step
-- columns: ios, iosq, pend, disc, conn, unknown
-- note: iosq, pend, disc, conn and unknown are milliseconds summed over the I/Os.
WITH local AS (
    {{ steps_of("volume_interval") }}
),
by_interval AS (
    SELECT
        platform, system, coalesce(lcu, '') AS unit, t, interval_start, {{ each("max(NAME)", "step_s interval_s") }},
        sum(io_rate * interval_s) AS ios,
        {{ response_parts() }}
    FROM local
    WHERE io_rate > 0 AND response_ms IS NOT NULL
    GROUP BY platform, system, coalesce(lcu, ''), t, interval_start
)
SELECT
    platform, system, unit, t, max(step_s) AS step_s, sum(interval_s) AS seconds, sum(ios) AS ios,
    {{ each("sum(ios * NAME)", "iosq pend disc conn unknown") }}
FROM by_interval
GROUP BY platform, system, unit, t
ORDER BY platform, system, unit, t

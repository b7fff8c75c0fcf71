-- title: Path delays of I/Os that have an alias, while pools are exhausted
-- grain: one row per platform, system, pool, interval; one without an interval for all dry ones together
-- column css_delay_ms DOUBLE [milliseconds]: CSS delay
-- column cu_busy_delay_ms DOUBLE [milliseconds]: Control unit busy delay
-- column cmr_ms DOUBLE [milliseconds]: Initial command response time
-- column way_above_ms DOUBLE [milliseconds]: Pend without device busy above what it was in the LCUs' best intervals
-- column service_ms DOUBLE [milliseconds]: Service time; NULL for all dry intervals, as the six that follow are for one
-- column exchange_ms DOUBLE [milliseconds]: Time an I/O is open at the control unit: open exchanges over rate
-- column open_exchanges DOUBLE [I/Os]: Open at the control units of the pool
-- column path_rate DOUBLE [per second]: Starts on all paths
-- column cmr_low_ms DOUBLE [milliseconds]: Initial command response time of the fastest path
-- column cmr_high_ms DOUBLE [milliseconds]: The same of the slowest path
-- column channel_paths VARCHAR []: The paths
WITH {{ dry_pools() }},
dry_lcu AS (
    SELECT
        l.platform, l.system, l.pool, l.interval_start, l.lcu, l.css_delay_ms, l.cu_busy_delay_ms, l.open_exchanges,
        l.path_taken_rate
    FROM lcu_alias_interval l
    JOIN bad b ON {{ equal("platform, system, pool, interval_start", "b", "l") }}
),
queued AS (
    SELECT
        platform, system, pool,
        {{ each("sum(path_taken_rate * NAME) / nullif(sum(path_taken_rate), 0)", "css_delay_ms cu_busy_delay_ms") }},
        1000 * sum(open_exchanges) / nullif(sum(path_taken_rate), 0) AS exchange_ms,
        sum(open_exchanges) / count(DISTINCT interval_start) AS open_exchanges,
        sum(path_taken_rate) / count(DISTINCT interval_start) AS path_rate
    FROM dry_lcu
    GROUP BY platform, system, pool
),
way AS (
    SELECT
        d.platform, d.system, d.pool,
        sum(y.io_rate * y.above_ms) / nullif(sum(y.io_rate), 0) AS way_above_ms
    FROM dry_lcu d
    JOIN way_interval y ON {{ equal("platform, system, lcu, interval_start", "y", "d") }}
    GROUP BY d.platform, d.system, d.pool
),
by_path AS ({{ cmr_by_path("dry_lcu", "platform, system, pool") }}),
path AS (
    SELECT
        platform, system, pool,
        {{ mean_of("cmr_ms", "taken_rate") }} AS cmr_ms,
        min(cmr_ms) AS cmr_low_ms,
        max(cmr_ms) AS cmr_high_ms,
        array_join(sort_array(collect_list(channel_path)), ', ') AS channel_paths
    FROM by_path
    GROUP BY platform, system, pool
),
lcu_then AS (
    SELECT
        s.platform, s.system, s.pool, s.interval_start, l.io_rate, l.css_delay_ms, l.cu_busy_delay_ms, y.cmr_ms,
        y.above_ms, y.service_ms
    FROM shown s
    JOIN lcu_alias_interval l ON {{ equal("platform, system, pool, interval_start", "l", "s") }}
    LEFT JOIN way_interval y ON {{ equal("platform, system, lcu, interval_start", "y", "l") }}
)
SELECT
    platform, system, pool, interval_start,
    {{ each(mean_of("NAME", "io_rate"), "css_delay_ms cu_busy_delay_ms cmr_ms") }},
    {{ mean_of("above_ms", "io_rate") }} AS way_above_ms,
    {{ mean_of("service_ms", "io_rate") }} AS service_ms,
    NULL AS exchange_ms, NULL AS open_exchanges, NULL AS path_rate, NULL AS cmr_low_ms, NULL AS cmr_high_ms, NULL AS channel_paths
FROM lcu_then
GROUP BY platform, system, pool, interval_start
UNION ALL
SELECT
    q.platform, q.system, q.pool, NULL AS interval_start, q.css_delay_ms, q.cu_busy_delay_ms,
    h.cmr_ms, w.way_above_ms, NULL AS service_ms, q.exchange_ms, q.open_exchanges, q.path_rate,
    h.cmr_low_ms, h.cmr_high_ms, h.channel_paths
FROM queued q
LEFT JOIN path h ON h.platform = q.platform AND h.system = q.system AND h.pool = q.pool
LEFT JOIN way w ON w.platform = q.platform AND w.system = q.system AND w.pool = q.pool
ORDER BY 1, 2, 3, 4

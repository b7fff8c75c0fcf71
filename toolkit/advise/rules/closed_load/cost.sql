-- title: Cost of waiting for volumes and pools with closed work, and their wait without it
-- grain: one row per platform, system, pool; one per platform, system, volume for volumes with aliases of their own
-- column queue_else DOUBLE [I/Os]: Longest queue in intervals that are not of closed work or next to it
-- column rate_else DOUBLE [per second]: Highest I/O rate of a pool then
-- column closed_s DOUBLE [s]: Time in the host's queue in intervals of closed work, summed over I/Os
-- column dry_s DOUBLE [s]: The same in all intervals in which I/Os were refused
-- column denied_ratio DOUBLE [per I/O]: Refusals per I/O, worst interval and LCU
-- column per_base BIGINT []: Most aliases in use by one base
WITH worked AS ({{ closed_work() }}),
{{ closed_pools() }},
adjacent AS (
    -- an interval next to a closed one holds the rest of the same work
    SELECT p.*, u.io_rate, b.lost AS closed,
        lag(b.pool) OVER (PARTITION BY p.platform, p.system, p.pool ORDER BY p.interval_start) IS NOT NULL
            OR lead(b.pool) OVER (PARTITION BY p.platform, p.system, p.pool ORDER BY p.interval_start) IS NOT NULL
            AS is_adjacent
    FROM (SELECT DISTINCT platform, system, pool FROM closed_pool) AS c
    JOIN alias_pool_interval p ON p.platform = c.platform AND p.system = c.system AND p.pool = c.pool
    LEFT JOIN alias_pool_load u ON {{ equal("platform, system, pool, interval_start", "u", "p") }}
    LEFT JOIN closed_pool b ON {{ equal("platform, system, pool, interval_start", "b", "p") }}
)
SELECT
    platform, system, pool, NULL AS volume,
    max(CASE WHEN closed IS NULL AND NOT is_adjacent AND alias_denied_ratio_max > 0 THEN queue_length END) AS queue_else,
    max(CASE WHEN closed IS NULL AND NOT is_adjacent AND alias_denied_ratio_max > 0 THEN io_rate END) AS rate_else,
    sum(closed) AS closed_s,
    sum(CASE WHEN alias_denied_ratio_max > 0 THEN queue_length * interval_s END) AS dry_s,
    max(alias_denied_ratio_max) AS denied_ratio,
    max(alias_high_water_per_base) AS per_base
FROM adjacent
GROUP BY platform, system, pool
UNION ALL
SELECT
    platform, system, NULL AS pool, volume,
    max(CASE WHEN NOT is_closed AND NOT is_rest THEN queue_length END) AS queue_else,
    NULL AS rate_else,
    sum(CASE WHEN is_closed THEN queue_length * interval_s END) AS closed_s,
    NULL AS dry_s, NULL AS denied_ratio, NULL AS per_base
FROM worked
GROUP BY platform, system, volume
ORDER BY 1, 2, 3, 4

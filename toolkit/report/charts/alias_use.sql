-- title: How much of its aliases each pool uses, the 30 in most trouble
-- grain: one row per system, pool, aliases
-- column pool VARCHAR []: System and LCU, or alias management group, and the size of the pool where it had several
-- columns: system
-- column lcu VARCHAR []: Logical control unit, of a group the first
-- columns: high_water
-- column aliases BIGINT []: HyperPAV aliases configured; if unknown, the most in use when an I/O found none
-- column denied_ratio DOUBLE []: Refusals per I/O in the worst interval
-- column denied_at TIMESTAMP []: Start of that interval, local time
-- column dry_intervals BIGINT []: Intervals with refusals
-- column intervals BIGINT []: Intervals
-- note: Pools and their sizes are those of alias_pool_interval, as in findings. LCUs that lend and borrow together are one pool.
WITH sized AS (
    SELECT
        *,
        lcus = max(lcus) OVER (PARTITION BY platform, system, pool) AS is_whole,
        -- as many as alias_pool_dry takes such a pool for
        CASE WHEN is_size_known THEN aliases ELSE max(aliases) OVER (PARTITION BY platform, system, pool) END AS size
    FROM alias_pool_interval
    WHERE alias_high_water IS NOT NULL
),
first_lcu AS (
    SELECT platform, system, pool, min(lcu) AS lcu FROM lcu_alias_interval GROUP BY platform, system, pool
),
pools AS (
    SELECT
        p.platform, p.system, p.pool, f.lcu, max(alias_high_water) AS high_water, size AS aliases,
        max(alias_denied_ratio_max) AS denied_ratio,
        max_by(local_start, peak_order(alias_denied_ratio_max, local_start)) AS denied_at,
        CAST(sum(CASE WHEN alias_refused_count > 0 THEN 1 ELSE 0 END) AS BIGINT) AS dry_intervals,
        count(*) AS intervals
    FROM sized p
    JOIN first_lcu f ON f.platform = p.platform AND f.system = p.system AND f.pool = p.pool
    -- a group with an LCU that was not measured has no other size
    WHERE is_whole
    GROUP BY p.platform, p.system, p.pool, f.lcu, size
)
SELECT
    system || ' ' || pool || CASE WHEN count(aliases) OVER (PARTITION BY platform, system, pool) > 1
        THEN coalesce(' with ' || CAST(aliases AS STRING), '') ELSE '' END AS pool,
    system, lcu, high_water, aliases, denied_ratio, denied_at, dry_intervals, intervals
FROM pools
ORDER BY coalesce(denied_ratio, 0) DESC, high_water / nullif(aliases, 0) DESC NULLS LAST, system, pool, aliases
LIMIT 30

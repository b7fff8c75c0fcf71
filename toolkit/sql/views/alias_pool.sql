-- title: Pools of aliases: their LCUs and sizes
-- grain: one row per platform, system, pool
-- columns: platform, system, pool
-- column alias_group VARCHAR []: Alias management group; NULL where the pool is an LCU
-- column lcu_names VARCHAR []: Its LCUs, separated by |
-- column aliases BIGINT []: Most aliases of all its LCUs in an interval
-- columns: is_size_known
-- column lends BOOLEAN []: SuperPAV: LCUs lend aliases to each other
SELECT
    p.platform,
    p.system,
    p.pool,
    max(l.alias_group) AS alias_group,
    max(l.lcu_names) AS lcu_names,
    max(p.aliases) AS aliases,
    bool_or(p.is_size_known) AS is_size_known,
    bool_or(l.lends) AS lends
FROM alias_pool_interval p
JOIN (
    SELECT
        platform, system, pool,
        max(alias_group) AS alias_group,
        array_join(sort_array(collect_list(lcu)), '|') AS lcu_names,
        bool_or(lends) AS lends
    FROM (
        SELECT platform, system, pool, lcu, max(alias_group) AS alias_group, bool_or(alias_need_count IS NOT NULL) AS lends
        FROM lcu_alias_interval
        GROUP BY platform, system, pool, lcu
    ) AS one
    GROUP BY platform, system, pool
) l ON l.platform = p.platform AND l.system = p.system AND l.pool = p.pool
GROUP BY p.platform, p.system, p.pool

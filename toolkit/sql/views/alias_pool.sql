-- title: Pools of aliases: their LCUs and sizes
-- grain: one row per platform, system, pool
-- columns: platform, system, pool
-- column alias_group VARCHAR []: Alias management group; NULL where the pool is an LCU
-- column lcu_names VARCHAR []: Its LCUs, separated by |
-- column aliases BIGINT []: Most aliases of all its LCUs in an interval
-- columns: is_size_known
-- column lends BOOLEAN []: SuperPAV: LCUs lend aliases to each other
SELECT *
FROM (
    SELECT platform, system, pool, max(aliases) AS aliases, bool_or(is_size_known) AS is_size_known
    FROM alias_pool_interval
    GROUP BY platform, system, pool
) AS sized
JOIN (
    SELECT
        platform, system, pool,
        max(alias_group) AS alias_group,
        array_join(sort_array(collect_set(lcu)), '|') AS lcu_names,
        bool_or(alias_need_count IS NOT NULL) AS lends
    FROM lcu_alias_interval
    GROUP BY platform, system, pool
) AS shared USING (platform, system, pool)

-- title: HyperPAV pools, or SuperPAV groups, most of whose aliases were never in use on any system: size and highest use
-- grain: one row per platform, lcu_names
-- column first_aliases BIGINT []: Aliases in the first interval
-- column borrowed BIGINT []: Most aliases borrowed at once
-- note: A pool is an alias management group if the records name one, else an LCU. High-water marks of a group's LCUs are added although they may be of different moments, which errs on the high side.
WITH system_group AS (
    SELECT
        *,
        coalesce('group ' || alias_group || ' of ' || system, 'LCU ' || lcu) AS pool,
        bool_or(alias_need_count IS NOT NULL OR alias_group IS NOT NULL) OVER (PARTITION BY platform, lcu) AS lends,
        last_value(hyperpav_aliases) OVER (
            PARTITION BY platform, system, lcu ORDER BY interval_start
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
        ) AS last_aliases,
        first_value(hyperpav_aliases) OVER (PARTITION BY platform, system, lcu ORDER BY interval_start) AS first_aliases
    FROM lcu_interval
    WHERE alias_io_count IS NOT NULL AND hyperpav_aliases > 0
),
lcu_total AS (
    SELECT
        platform, pool, lcu,
        max(alias_group) AS alias_group,
        max(last_aliases) AS aliases,
        max(first_aliases) AS first_aliases,
        max(alias_high_water) AS high_water,
        max(alias_high_water_per_base) AS per_base,
        max(coalesce(alias_borrowed_high_water, 0)) AS borrowed,
        sum(alias_denied_count) AS denied,
        sum(alias_io_count) AS requests,
        count(DISTINCT interval_start) AS intervals,
        {{ measured_hours() }},
        bool_or(lends) AS lends
    FROM system_group
    GROUP BY platform, pool, lcu
),
every_system AS (
    -- groups have a number of their own on each system: one with the same LCUs is the same group
    SELECT
        platform, pool,
        array_join(sort_array(collect_list(lcu)), '|') AS lcu_names,
        {{ each("max(NAME)", "alias_group per_base intervals") }},
        {{ each("CAST(sum(NAME) AS BIGINT)", "aliases first_aliases borrowed") }},
        CASE WHEN count(high_water) = count(*) THEN CAST(sum(high_water) AS BIGINT) END AS high_water,
        {{ each("sum(NAME)", "denied requests") }},
        min(hours) AS hours,
        array_join(sort_array(collect_set(system_names)), '|') AS system_names,
        bool_and(has_month_end) AS has_month_end,
        bool_or(lends) AS lends
    FROM lcu_total
    GROUP BY platform, pool
)
SELECT
    platform, lcu_names,
    {{ each("max(NAME)", "alias_group aliases first_aliases high_water per_base borrowed") }},
    {{ each("sum(NAME)", "denied requests") }},
    max(intervals) AS intervals,
    min(hours) AS hours,
    array_join(sort_array(collect_set(system_names)), '|') AS system_names,
    bool_and(has_month_end) AS has_month_end,
    bool_or(lends) AS lends
FROM every_system
GROUP BY platform, lcu_names
ORDER BY platform, lcu_names

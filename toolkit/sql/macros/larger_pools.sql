{#
HyperPAV pools that are larger where another system sees the same LCU, within `elsewhere AS (...)`: the same number, box
and a volume in common. One row per platform, system and pool: other_system with the largest pool, other_aliases of it
and other_high_water, the most that it ever had in use. Sizes are those each had last: one may have been cut. Nothing of SuperPAV groups, which several LCUs make up.
#}
{% macro larger_pools() -%}
WITH used AS (
    SELECT
        platform, system, pool,
        max(alias_high_water) AS high_water,
        max_by(aliases, CASE WHEN is_size_known THEN interval_start END) AS aliases
    FROM alias_pool_interval
    GROUP BY platform, system, pool
),
sized AS (
    SELECT p.platform, p.system, p.pool, p.lcu_names AS lcu, u.aliases, u.high_water
    FROM alias_pool p
    JOIN used u ON u.platform = p.platform AND u.system = p.system AND u.pool = p.pool
    WHERE p.alias_group IS NULL AND p.is_size_known
),
same_lcu AS (
    SELECT DISTINCT m.platform, m.system, m.lcu, o.system AS other_system
    FROM volume_box m
    JOIN volume_box o
        ON o.platform = m.platform AND o.volume = m.volume AND o.lcu = m.lcu AND o.box = m.box AND o.system <> m.system
        AND o.since < m.until AND m.since < o.until
    WHERE m.serial IS NOT NULL
),
ranked_pool AS (
    SELECT
        m.platform, m.system, m.pool, o.system AS other_system, o.aliases AS other_aliases,
        o.high_water AS other_high_water,
        row_number() OVER (PARTITION BY m.platform, m.system, m.pool ORDER BY o.aliases DESC, o.system) AS place
    FROM sized m
    JOIN same_lcu s ON s.platform = m.platform AND s.system = m.system AND s.lcu = m.lcu
    JOIN sized o ON o.platform = m.platform AND o.system = s.other_system AND o.pool = m.pool AND o.aliases > m.aliases
)
SELECT platform, system, pool, other_system, other_aliases, other_high_water FROM ranked_pool WHERE place = 1
{%- endmacro %}

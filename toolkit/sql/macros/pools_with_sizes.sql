{#
Pools that had several numbers of aliases, one row per platform, system and pool, within `varied AS (...)`.
#}
{% macro pools_with_sizes() -%}
SELECT platform, system, pool
FROM alias_pool_interval
WHERE is_size_known AND aliases > 0
GROUP BY platform, system, pool
HAVING min(aliases) < max(aliases)
{%- endmacro %}

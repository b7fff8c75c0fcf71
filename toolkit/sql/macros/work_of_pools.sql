{#
What the volumes of pools did together, one row per platform, system, pool and interval_start, within `used AS (...)`.
in_use is the least number of aliases that can have been in use: a base that is always busy has one I/O less than its
volume. POOLS has platform, system and pool.
#}
{% macro work_of_pools(pools) -%}
SELECT
    l.platform, l.system, l.pool, l.interval_start,
    sum(at_least_0(s.in_service - 1)) AS in_use,
    sum(s.in_service) AS in_service,
    sum(s.queue_length) AS queue_length,
    sum(s.io_rate) AS io_rate,
    sum(s.io_rate * s.read_ratio) / nullif(sum(CASE WHEN s.read_ratio IS NOT NULL THEN s.io_rate END), 0) AS read_ratio,
    min(s.volume) AS first_volume
FROM lcu_alias_interval l
JOIN (SELECT DISTINCT platform, system, pool FROM {{ pools }}) AS d
    ON d.platform = l.platform AND d.system = l.system AND d.pool = l.pool
JOIN box_volume_interval s
    ON s.platform = l.platform AND s.system = l.system AND s.lcu = l.lcu AND s.interval_start = l.interval_start
GROUP BY l.platform, l.system, l.pool, l.interval_start
{%- endmacro %}

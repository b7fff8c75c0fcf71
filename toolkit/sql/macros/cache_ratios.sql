{#
What the cache did for each KEY of cache_interval c in the intervals of a system that measured devices (cache_alignment
a); WHERE and GROUP BY a.platform, a.system, a.interval_start, c.KEY follow. Ratios and rates as records and reports both
have them: a report prints no counts. Its rates are rounded, so that a ratio may be printed with a rate of 0.
#}
{% macro cache_ratios(key) -%}
SELECT
    a.platform, a.system, a.interval_start,
    c.{{ key }},
    max(c.subsystem) AS subsystem,
    max(c.system) AS cache_system,
    coalesce({{ mean_of("read_ratio", "requests") }}, avg(read_ratio)) AS read_ratio,
    coalesce({{ mean_of("read_hit_ratio", "reads") }}, avg(read_hit_ratio)) AS read_hit_ratio,
    coalesce({{ mean_of("write_hit_ratio", "writes") }}, avg(write_hit_ratio)) AS write_hit_ratio,
    {{ mean_of("nvs_delay_rate", "interval_s") }} AS nvs_delay_rate,
    max(c.extent_pool) AS extent_pool
FROM (
    SELECT
        i.*,
        read_rate * interval_s AS reads,
        write_rate * interval_s AS writes,
        (read_rate + write_rate) * interval_s AS requests
    FROM cache_interval i
) AS c
JOIN cache_alignment a
    ON a.cache_platform = c.platform AND a.cache_system = c.system AND a.cache_start = c.interval_start
{%- endmacro %}

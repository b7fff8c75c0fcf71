{#
Whether a volume's caching is on by its status, as a join: ROW has volser, local_start and local_end; rows to keep are
those without `uncached.volser`. In the middle of the row: clocks differ by seconds.
#}
{% macro join_cached(row) -%}
LEFT JOIN (SELECT volser, local_start, local_end FROM cache_interval WHERE cache_active = FALSE) AS uncached
    ON uncached.volser = {{ row }}.volser
    AND 2 * unix_micros(uncached.local_start) <= unix_micros({{ row }}.local_start) + unix_micros({{ row }}.local_end)
    AND 2 * unix_micros(uncached.local_end) > unix_micros({{ row }}.local_start) + unix_micros({{ row }}.local_end)
{%- endmacro %}

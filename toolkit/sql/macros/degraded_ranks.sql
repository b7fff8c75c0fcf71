{#
Ranks without one of their drives while RELATION, with box, local_start and local_end, has rows: one row per KEY, names joined by |.
#}
{% macro degraded_ranks(relation, key) -%}
degraded AS (
    SELECT d.{{ key }}, array_join(sort_array(collect_set(r.rank)), '|') AS ranks
    FROM (SELECT * FROM {{ relation }}) AS d
    JOIN rank_interval r ON r.box = d.box AND r.is_degraded AND r.local_start < d.local_end AND r.local_end > d.local_start
    GROUP BY d.{{ key }}
)
{%- endmacro %}

{#
Of VIEW, which has one row per platform, system, volume and interval_start, those of rows of RELATION. The engine keeps
what is joined on the right in memory: a LEFT JOIN of the whole view to a few rows would fill it with the whole lake.
#}
{% macro rows_at(view, relation) -%}
SELECT v.*
FROM {{ view }} v
JOIN (SELECT DISTINCT platform, system, volume, interval_start FROM {{ relation }}) AS r
    ON {{ equal("platform, system, volume, interval_start", "r", "v") }}
{%- endmacro %}

{#
True of a row of a place that begins only after all those before it are over: such rows begin another episode. KEYS are those of the
place, ORDER that of its rows, by time.
#}
{% macro begins_later(keys, start, end, order) -%}
coalesce({{ start }} >= max({{ end }}) OVER (
    PARTITION BY {{ keys }} ORDER BY {{ order }} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
), FALSE)
{%- endmacro %}

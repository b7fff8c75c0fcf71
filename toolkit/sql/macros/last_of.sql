{#
Of rows grouped, the value of COLUMN in the last interval that has one.
#}
{% macro last_of(column) -%}
max_by({{ column }}, CASE WHEN {{ column }} IS NOT NULL THEN interval_start END)
{%- endmacro %}

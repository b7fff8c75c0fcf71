{#
Mean weighted by I/Os or time, over the rows that have a value.
#}
{% macro mean_of(value, weight) -%}
sum({{ weight }} * {{ value }}) / nullif(sum(CASE WHEN {{ value }} IS NOT NULL THEN {{ weight }} END), 0)
{%- endmacro %}

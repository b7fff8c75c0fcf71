{#
PART over WHOLE, each summed over the rows that have the part.
#}
{% macro ratio_of(part, whole) -%}
sum({{ part }}) / nullif(sum(CASE WHEN {{ part }} IS NOT NULL THEN {{ whole }} END), 0)
{%- endmacro %}

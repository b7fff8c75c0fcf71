{#
The number of the hour that a moment is in, for grouping.
#}
{% macro hour_of(moment) -%}
floor(unix_micros({{ moment }}) / 3.6e9)
{%- endmacro %}

{#
What a running total of 32 bits grew by since the sample before, in the window w.
#}
{% macro increase_of(counter) -%}
({{ counter }} - (lag({{ counter }}) OVER w) + 4294967296) % 4294967296
{%- endmacro %}

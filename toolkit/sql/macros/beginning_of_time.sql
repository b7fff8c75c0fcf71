{#
Since when something is so that nothing says was otherwise before.
#}
{% macro beginning_of_time() -%}
TIMESTAMP '1900-01-01 00:00:00'
{%- endmacro %}

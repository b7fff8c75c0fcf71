{#
Until when something is so that nothing says became otherwise.
#}
{% macro end_of_time() -%}
TIMESTAMP '9999-12-31 00:00:00'
{%- endmacro %}

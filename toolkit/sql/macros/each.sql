{#
Among the columns of a SELECT: the columns NAMES, separated by blanks, each as EXPRESSION with its name in place of NAME.
#}
{% macro each(expression, names) -%}
{% for name in names|split -%}
{{ expression|replace("NAME", name) }} AS {{ name }}{{ "," if not loop.last }}
{% endfor %}
{%- endmacro %}

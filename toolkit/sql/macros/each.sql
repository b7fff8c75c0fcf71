{#
Among the columns of a SELECT: the columns NAMES, separated by blanks, each as EXPRESSION with its name in place of NAME;
ALIAS is the name of the result.
#}
{% macro each(expression, names, alias="NAME") -%}
{% for name in names|split -%}
{{ expression|replace("NAME", name) }} AS {{ alias|replace("NAME", name) }}{{ "," if not loop.last }}
{% endfor %}
{%- endmacro %}

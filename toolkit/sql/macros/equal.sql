{#
The condition of a join: rows of LEFT and RIGHT have the same KEYS, separated by commas.
#}
{% macro equal(keys, left, right) -%}
{% for key in keys|split(", ") %}{{ left }}.{{ key }} = {{ right }}.{{ key }}{% if not loop.last %} AND {% endif %}{% endfor %}
{%- endmacro %}

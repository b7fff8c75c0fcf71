{#
The join of rows with a subsystem, as ROW, with the box that it is in last, as NAME.
#}
{% macro join_last_box(name, row) -%}
JOIN (SELECT * FROM box_subsystem WHERE year(until) = 9999) {{ name }} ON {{ name }}.subsystem = {{ row }}.subsystem
{%- endmacro %}

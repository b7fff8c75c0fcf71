{#
The join of rows with a subsystem, as ROW, with the box that it was in at the time, as NAME.
#}
{% macro join_box_then(name, row) -%}
JOIN box_subsystem {{ name }}
    ON {{ name }}.subsystem = {{ row }}.subsystem AND {{ name }}.since <= {{ row }}.interval_start AND {{ row }}.interval_start < {{ name }}.until
{%- endmacro %}

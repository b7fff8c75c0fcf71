{#
The join of rows of a volume on a system, as ROW, with the box that it was in at the time, as NAME.
#}
{% macro join_volume_box_then(name, row) -%}
JOIN volume_box {{ name }}
    ON {{ name }}.platform = {{ row }}.platform AND {{ name }}.system = {{ row }}.system AND {{ name }}.volume = {{ row }}.volume
    AND {{ name }}.since <= {{ row }}.interval_start AND {{ row }}.interval_start < {{ name }}.until
{%- endmacro %}

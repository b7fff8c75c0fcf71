{#
The intervals of the box h that the intervals of rows of volume_interval lie in, as c.
#}
{% macro join_clock(v) -%}
JOIN box_clock c
    ON c.box = h.box AND c.platform = {{ v }}.platform AND c.system = {{ v }}.system
    AND c.interval_start = {{ v }}.interval_start AND c.is_shorter = (1.5 * {{ v }}.interval_s < c.longest_s)
{%- endmacro %}

{#
The box that rows of volume_interval belong to, and the box's intervals that theirs lie in.
#}
{% macro join_home_and_clock(v) -%}
JOIN volume_home h
    ON h.platform = {{ v }}.platform AND h.system = {{ v }}.system AND h.volume = {{ v }}.volume
    AND h.since <= {{ v }}.interval_start AND {{ v }}.interval_start < h.until
JOIN box_clock c
    ON c.box = h.box AND c.platform = {{ v }}.platform AND c.system = {{ v }}.system
    AND c.interval_start = {{ v }}.interval_start AND c.is_shorter = (1.5 * {{ v }}.interval_s < c.longest_s)
{%- endmacro %}

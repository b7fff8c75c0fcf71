{#
The intervals of the box h that the intervals of rows of volume_interval lie in, as c.

As is_shorter = (1.5 * interval_s < longest_s); engines join by comparisons of one side with the other, not by that.
#}
{% macro join_clock(v) -%}
JOIN box_clock c
    ON c.box = h.box AND c.platform = {{ v }}.platform AND c.system = {{ v }}.system
    AND c.interval_start = {{ v }}.interval_start
    AND 1.5 * {{ v }}.interval_s >= CASE WHEN c.is_shorter THEN 0 ELSE c.longest_s END
    AND 1.5 * {{ v }}.interval_s < CASE WHEN c.is_shorter THEN c.longest_s ELSE 1e9 END
{%- endmacro %}

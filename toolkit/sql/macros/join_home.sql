{#
The box that rows of volume_interval belong to, as h.
#}
{% macro join_home(v) -%}
JOIN volume_home h
    ON h.platform = {{ v }}.platform AND h.system = {{ v }}.system AND h.volume = {{ v }}.volume
    AND h.since <= {{ v }}.interval_start AND {{ v }}.interval_start < h.until
{%- endmacro %}

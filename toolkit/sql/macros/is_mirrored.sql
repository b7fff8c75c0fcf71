{#
Whether the writes of a row of cache_interval, as C, wait for a second box: a suspended pair sends nothing.
#}
{% macro is_mirrored(c) -%}
(coalesce({{ c }}.mirror_state <> 'suspended', FALSE) OR coalesce({{ c }}.mirrored_track_rate > 0, FALSE))
{%- endmacro %}

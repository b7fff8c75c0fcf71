{#
Whether another system, CP or SET THROTTLE held a volume: HELD is its row of unfit_interval, if it has one, and ROW that of volume_interval.
#}
{% macro is_held(held, row) -%}
coalesce({{ held }}.is_held, FALSE) OR coalesce({{ row }}.throttle_delay_rate > 0, FALSE)
{%- endmacro %}

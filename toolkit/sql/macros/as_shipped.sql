{#
Whether the parameters of a question are the limits by which `above_limits` rates volumes where nothing else is known.
#}
{% macro as_shipped() -%}
$queue_length = 0.5 AND $wait_share = 0.1 AND $hit_ratio = 0.8 AND $read_rate = 1 AND $disc_share = 0.5
AND $delayed_ratio = 0.005 AND $busy_ms = 0.5 AND $busy_share = 0.2
{%- endmacro %}

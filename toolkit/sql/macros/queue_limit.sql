{#
From how many I/Os waiting on, mean of an interval, a volume queues however short their wait. A free exposure is never
left alone by chance then.
#}
{% macro queue_limit() -%}
0.5
{%- endmacro %}

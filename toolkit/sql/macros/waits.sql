{#
Whether a volume queues in the host for a good part of the response, in an interval from which something follows. ROW is of
box_volume_interval; the question has the parameters $queue_length and $wait_share.
#}
{% macro waits(row) -%}
NOT {{ row }}.is_held AND NOT {{ row }}.is_overfull AND {{ row }}.queue_length >= $queue_length
    AND {{ row }}.wait_ms >= $wait_share * ({{ row }}.wait_ms + {{ row }}.service_ms)
{%- endmacro %}

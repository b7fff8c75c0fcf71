{#
Volumes of a box that queue in the host only while something is wrong, among common table expressions: waiting, one row per box, with
their names and, as waiting_on, the system of each, joined by |. queue has box, volume, system, queued_then and queue_else, the
queue while it is wrong and at other times. The question has the parameter $queue_else.
#}
{% macro waiting_only_then() -%}
waiting AS (
    SELECT
        box,
        array_join(in_order(collect_list(volume || chr(9) || system), collect_list(volume)), '|') AS waiting,
        array_join(in_order(collect_list(volume || chr(9) || system), collect_list(system)), '|') AS waiting_on
    FROM queue
    -- a queue at other times, of the length that pav_add_alias looks for, has another cause
    WHERE queued_then > 0 AND coalesce(queue_else, 0) < $queue_else
    GROUP BY box
)
{%- endmacro %}

{#
Volumes of boxes that queue in the host only while something is wrong, among common table expressions: waiting, one row per box, with
their names and, as waiting_on, the system of each, joined by |. BOXES has the boxes; a row of volume_interval v is of that time
if it joins a row i of RELATION by CONDITION. The question has the parameter $queue_else.
#}
{% macro waiting_only_then(boxes, relation, condition) -%}
queue AS (
    SELECT
        b.box, v.volume, v.system,
        sum(CASE WHEN i.box IS NOT NULL THEN v.queue_length END) AS queued_then,
        max(CASE WHEN i.box IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    {{ join_volume_box_then("b", "v") }}
    LEFT JOIN {{ relation }} i ON i.box = b.box AND {{ condition }}
    WHERE v.queue_length > 0 AND b.box IN (SELECT box FROM {{ boxes }})
    GROUP BY b.box, v.volume, v.system
),
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

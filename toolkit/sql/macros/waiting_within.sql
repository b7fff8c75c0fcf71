{#
Volumes that queue in the host in some intervals of their LCU and at no other time. Among common table expressions: gives
waiting, one row per platform, system and lcu, with their names joined by | and the time that their I/Os waited (waited_s).
RELATION has platform, system, lcu ('' for volumes without one) and interval_start. The question has the parameter $queue_else.
#}
{% macro waiting_within(relation) -%}
queue AS (
    SELECT
        v.platform, v.system, l.lcu, v.volume,
        sum(CASE WHEN b.lcu IS NOT NULL THEN v.queue_length * v.interval_s END) AS waited_s,
        max(CASE WHEN b.lcu IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    JOIN (SELECT DISTINCT platform, system, lcu FROM {{ relation }}) l
        ON l.platform = v.platform AND l.system = v.system AND l.lcu = coalesce(v.lcu, '')
    LEFT JOIN {{ relation }} b
        ON b.platform = v.platform AND b.system = v.system AND b.lcu = l.lcu AND b.interval_start = v.interval_start
    WHERE v.queue_length > 0
    GROUP BY v.platform, v.system, l.lcu, v.volume
),
waiting AS (
    SELECT
        platform, system, lcu,
        array_join(sort_array(collect_list(volume)), '|') AS waiting,
        sum(waited_s) AS waited_s
    FROM queue
    -- a queue at other times, of the length that pav_add_alias looks for, has another cause
    WHERE waited_s > 0 AND coalesce(queue_else, 0) < $queue_else
    GROUP BY platform, system, lcu
)
{%- endmacro %}

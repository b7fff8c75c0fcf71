{#
Tape drives of a type on a system, interval by interval. Among common table expressions: gives kept, of drives that are online and
whose KNOWN is known.
#}
{% macro tape_drives(known) -%}
kept AS (
    SELECT
        platform, system, coalesce(device_type, '') AS device_type, interval_start,
        min(local_start) AS local_start,
        {{ each("max(NAME)", "local_end interval_s") }},
        count(*) AS drives,
        sum(allocated_ratio) AS allocated,
        sum(mount_pending_ratio) AS mounting,
        sum(mount_count) AS mounts
    FROM device_interval
    WHERE device_class = 'tape' AND {{ known }} IS NOT NULL AND coalesce(online, TRUE)
    GROUP BY platform, system, coalesce(device_type, ''), interval_start
)
{%- endmacro %}

{#
The cache that boxes had available, interval by interval, and whether they had more before. Among common table expressions: sized,
by subsystem, and box. The question has the parameter $available_ratio.
#}
{% macro box_cache() -%}
sized AS (
    SELECT
        b.box, b.serial, b.control_unit_type, c.subsystem, c.interval_start, c.local_start, c.local_end, c.read_count, c.read_hit_count,
        c.cache_available_bytes AS available_bytes,
        greatest(
            c.cache_available_bytes + coalesce(c.cache_offline_bytes, 0),
            max(c.cache_available_bytes) OVER (PARTITION BY c.subsystem ORDER BY c.interval_start)
        ) AS whole_bytes
    FROM cache_subsystem_interval c
    {{ join_box_then("b", "c") }}
    WHERE c.cache_available_bytes > 0
),
box AS (
    SELECT
        box, max(serial) AS serial, max(control_unit_type) AS control_unit_type, interval_start, min(local_start) AS local_start,
        max(local_end) AS local_end, sum(read_count) AS reads, sum(read_hit_count) AS hits,
        bool_or(available_bytes < $available_ratio * whole_bytes) AS is_bad,
        min(available_bytes) AS available_bytes, max(whole_bytes) AS whole_bytes
    FROM sized
    GROUP BY box, interval_start
)
{%- endmacro %}

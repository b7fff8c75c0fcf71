-- title: Subsystems with data that their box can't write to its disks, and the volumes it belongs to
-- grain: one row per subsystem
-- column volumes VARCHAR []: The volumes, separated by |; NULL where none is recorded
-- column pinned_bytes DOUBLE [bytes]: Pinned NVS, most in an interval; NULL if unknown
-- column pinned_ratio DOUBLE [ratio 0..1]: Pinned NVS of all NVS, most in an interval; NULL if unknown
-- columns: serial, control_unit_type
-- column subsystem_end TIMESTAMP [local time]: End of the last interval of the subsystem
-- column ranks VARCHAR []: Ranks of its box that run without a drive then, separated by |
WITH pinned AS (
    SELECT subsystem, volser, local_start, local_end, CAST(NULL AS DOUBLE) AS pinned_bytes, CAST(NULL AS DOUBLE) AS pinned_ratio
    FROM cache_interval
    WHERE has_pinned_data
    UNION ALL
    SELECT subsystem, NULL, local_start, local_end, nvs_pinned_bytes, nvs_pinned_bytes / nullif(nvs_bytes, 0)
    FROM cache_subsystem_interval
    WHERE nvs_pinned_bytes > 0
),
bad AS (
    -- the longest run stands for all
    SELECT subsystem, local_start, max(local_end) AS local_end, CAST(1 AS DOUBLE) AS lost
    FROM pinned
    GROUP BY subsystem, local_start
),
machine AS (
    SELECT subsystem, box, serial, control_unit_type FROM box_subsystem WHERE year(until) = 9999
),
{{ degraded_ranks("bad JOIN machine USING (subsystem)", "subsystem") }},
ended AS (
    SELECT subsystem, max(local_end) AS subsystem_end FROM cache_subsystem_interval GROUP BY subsystem
),
{% call incident("bad", "subsystem", of="pinned", also=["machine", "ended", "degraded"]) %}
    nullif(array_join(sort_array(collect_set(volser)), '|'), '') AS volumes,
    max(pinned_bytes) AS pinned_bytes, max(pinned_ratio) AS pinned_ratio
{% endcall %}
ORDER BY a.subsystem

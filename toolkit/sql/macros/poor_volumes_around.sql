{#
Volumes that read past the cache: those that do so only while their box is in RELATION or next to it, and how many do
at any other time. Among common table expressions: gives poor, poor_volume and poor_else. RELATION has box, local_start
and local_end; the question has the parameters $poor_ratio and $poor_disc.
#}
{% macro poor_volumes_around(relation) -%}
poor AS (
    SELECT coalesce(b.box, v.subsystem) AS box, v.volume, v.local_start, max(f.box) IS NOT NULL AS is_then
    FROM volume_interval v
    LEFT {{ join_box_then("b", "v") }}
    LEFT JOIN {{ relation }} f ON f.box = coalesce(b.box, v.subsystem) AND v.local_start <= f.local_end AND v.local_end >= f.local_start
    -- what goes over zHyperLink has hit
    WHERE coalesce(b.box, v.subsystem) IN (SELECT box FROM {{ relation }}) AND v.io_rate * v.read_ratio * v.read_hit_ratio + coalesce(v.sync_read_rate, 0)
        < $poor_ratio * (v.io_rate * v.read_ratio + coalesce(v.sync_read_rate, 0))
        AND v.disc_ms >= $poor_disc * coalesce(v.service_ms, v.response_ms)
    GROUP BY coalesce(b.box, v.subsystem), v.volume, v.local_start
),
poor_volume AS (
    SELECT box, array_join(sort_array(collect_list(volume)), '|') AS poor_volumes
    FROM (SELECT box, volume FROM poor GROUP BY box, volume HAVING bool_and(is_then)) AS only_then
    GROUP BY box
),
poor_else AS (
    SELECT box, max(volumes) AS poor_else
    FROM (
        SELECT box, local_start, count(*) AS volumes FROM poor WHERE NOT is_then GROUP BY box, local_start
    ) AS at_once
    GROUP BY box
)
{%- endmacro %}

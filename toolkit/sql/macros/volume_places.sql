{#
Where each volume was, and how, as long as nothing of it changed. Among common table expressions: gives place, one row per volume and system
and what its group has; a mirror that comes and goes interval by interval is no change.
#}
{% macro volume_places() -%}
switched AS (
    SELECT platform, system, lcu, min(CASE WHEN is_superpav THEN interval_start END) AS super_start
    FROM lcu_extra
    GROUP BY platform, system, lcu
    HAVING max(CASE WHEN NOT is_superpav THEN interval_start END) < min(CASE WHEN is_superpav THEN interval_start END)
),
mirrored AS (
    SELECT
        volser, interval_start, interval_s, {{ is_mirrored("c") }} AS is_mirrored,
        coalesce(mirror_state = 'suspended', FALSE) AS is_suspended
    FROM cache_interval c
    WHERE write_rate > 0 AND (mirror_state IS NOT NULL OR mirrored_track_rate IS NOT NULL)
),
known AS (
    SELECT volser, min(interval_start) AS first_start, max(interval_start) AS last_start
    FROM mirrored
    WHERE is_mirrored
    GROUP BY volser
),
come_and_gone AS (
    SELECT DISTINCT volser
    FROM mirrored
    JOIN known USING (volser)
    WHERE NOT is_mirrored AND NOT is_suspended AND interval_start > first_start AND interval_start < last_start
),
-- suspended, or given up or made for good: an interval without tracks among others says nothing
states AS (
    SELECT
        'mirror' AS kind, volser AS subject, is_mirrored AS what,
        unix_micros(interval_start) AS first_us, unix_micros(interval_start) AS last_us,
        unix_micros(interval_start) + CAST(interval_s * 500000 AS BIGINT) AS middle_us
    FROM mirrored
    LEFT JOIN known USING (volser)
    LEFT JOIN (SELECT volser, TRUE AS comes_and_goes FROM come_and_gone) AS g USING (volser)
    WHERE is_mirrored OR is_suspended
        OR (comes_and_goes IS NULL AND (interval_start < first_start OR interval_start > last_start))
),
{{ periods("states") }},
seen AS (
    SELECT
        v.*,
        m.what AS is_mirrored, m.since_us,
        CASE
            WHEN v.is_hyperpav IS NOT TRUE THEN 'none'
            WHEN unix_micros(v.interval_start) + 5e5 * v.interval_s >= unix_micros(s.super_start) THEN 'SuperPAV'
            ELSE 'HyperPAV'
        END AS pool
    FROM volume_interval v
    LEFT JOIN switched s ON {{ equal("platform, system, lcu", "s", "v") }}
    LEFT JOIN turn m ON m.subject = v.volume
        AND m.since_us <= unix_micros(v.interval_start) AND unix_micros(v.interval_start) < m.until_us
),
place AS (
    SELECT
        v.platform, v.system, v.volume, v.lcu, CASE WHEN v.lcu IS NULL THEN v.device END AS device, b.box, b.subsystem,
        CASE WHEN v.pool <> 'none' THEN v.pool WHEN max(v.exposures) > 1 THEN 'static PAV' WHEN max(v.exposures) > 0 THEN 'no PAV' END
            AS pav,
        v.is_mirrored, b.serial IS NOT NULL AS is_named,
        min(v.local_start) AS seen_start,
        max(v.local_end) AS seen_end,
        min(v.interval_start) AS first_start,
        max(v.interval_start) AS last_start
    FROM seen v
    {{ join_volume_box_then("b", "v") }}
    GROUP BY
        v.platform, v.system, v.volume, v.lcu, CASE WHEN v.lcu IS NULL THEN v.device END, b.box, b.subsystem,
        v.pool, v.is_mirrored, b.serial IS NOT NULL,
        -- a volume may come back to where it was
        b.since, v.since_us
)
{%- endmacro %}

{#
When volumes were mirrored. Among common table expressions: gives turn, as periods does, of volume serials whose mirror began, ended or
came back; what is whether it was mirrored.
#}
{% macro mirror_turns() -%}
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
{{ periods("states") }}
{%- endmacro %}

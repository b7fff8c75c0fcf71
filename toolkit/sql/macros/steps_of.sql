{#
The rows of a view over local time, for charts, within `local AS (...)`: the view's columns, and
slot, the start of the row's interval on a grid of the longest interval of its step: systems that began it some seconds apart, or
divide it into shorter ones, share it;
step_s and t, the length and the start of the step. A step is as long as the longest interval, or a multiple of it where
the span would need more than about a hundred: steps that hold one interval and two by turns would show a load that
halves and doubles.
#}
{% macro steps_of(relation) -%}
{%- set steps %}(
    -- a damaged record may have another century or months: a year is long enough for any
    SELECT coalesce(min(step.size), 31536000) AS step_s
    FROM (
        SELECT coalesce(min(every.size), 31536000) AS size, max(seen.span_s) AS span_s
        FROM (
            SELECT
                max(greatest(interval_s * 0.99, 0)) AS longest_s,
                (max(unix_micros(interval_start)) - min(unix_micros(interval_start))) / 1e6 AS span_s
            FROM {{ relation }}
        ) AS seen
        LEFT JOIN ({{ step_sizes() }}) AS every ON every.size >= seen.longest_s
    ) AS shortest
    JOIN ({{ step_sizes() }}) AS step ON step.size % shortest.size = 0 AND step.size * 100.0 >= shortest.span_s
){% endset -%}
{%- set number = "CAST(floor((unix_micros(local_start) + 30000000) / (1000000.0 * step_s)) AS BIGINT)" -%}
SELECT
    v.*, s.step_s,
    CAST(timestamp_micros(
        CAST(floor((unix_micros(v.local_start) + 30000000) / (60000000.0 * l.slot_min)) AS BIGINT) * 60000000 * l.slot_min
    ) AS TIMESTAMP) AS slot,
    CAST(timestamp_micros(l.number * 1000000 * CAST(s.step_s AS BIGINT)) AS TIMESTAMP) AS t
FROM {{ relation }} AS v
CROSS JOIN {{ steps }} AS s
JOIN (
    SELECT {{ number }} AS number, CAST(greatest(round(max(interval_s) / 60), 1) AS BIGINT) AS slot_min
    FROM {{ relation }}
    CROSS JOIN {{ steps }} AS s
    GROUP BY {{ number }}
) AS l ON l.number = {{ number }}
{%- endmacro %}

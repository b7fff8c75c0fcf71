{#
How full each of KEYS of RELATION is in the last interval (used_ratio), half an hour before (late_ratio) and in the first interval of the
day that ends with it (usual_ratio, filling_s before), at most in that day (day_ratio) and ever (fullest_ratio), and the end of it.
RELATION has used_ratio, interval_start and local_end. A day: what fills by day and empties at night has no pace.
#}
{% macro filling(relation, keys) -%}
SELECT
    {{ keys }}, max(fullest_ratio) AS fullest_ratio, max(used_ratio) AS day_ratio,
    min_by(used_ratio, interval_start) AS usual_ratio,
    max_by(used_ratio, CASE WHEN unix_micros(last_start) - unix_micros(interval_start) >= 1.8e9 THEN interval_start END) AS late_ratio,
    max(CASE WHEN interval_start = last_start THEN used_ratio END) AS used_ratio,
    (unix_micros(max(interval_start)) - unix_micros(min(interval_start))) / 1e6 AS filling_s,
    max(local_end) AS last_end
FROM (
    SELECT
        {{ keys }}, interval_start, local_end, used_ratio, max(used_ratio) OVER (PARTITION BY {{ keys }}) AS fullest_ratio,
        max(interval_start) OVER (PARTITION BY {{ keys }}) AS last_start
    FROM {{ relation }}
    WHERE used_ratio IS NOT NULL
) AS known
WHERE unix_micros(interval_start) >= unix_micros(last_start) - 8.64e10
GROUP BY {{ keys }}
{%- endmacro %}

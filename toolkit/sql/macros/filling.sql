{#
How full each of KEYS of RELATION is in the last interval (used_ratio), half an hour before (late_ratio) and when it began to fill
(usual_ratio, filling_s before), at most in the day that ends with it (day_ratio) and ever (fullest_ratio), and the end of it.
RELATION has used_ratio, interval_start and local_end. It began to fill in the first interval of that day, as what fills by day and
empties at night has no pace; or, where at least half of what came since is more than there was then, when it was last at its least
(or within a twentieth of what came since).
#}
{% macro filling(relation, keys) -%}
SELECT
    {{ keys }}, max(fullest_ratio) AS fullest_ratio, max(used_ratio) AS day_ratio,
    max(CASE WHEN is_new THEN least_ratio ELSE first_ratio END) AS usual_ratio,
    max_by(used_ratio, CASE WHEN unix_micros(last_start) - unix_micros(interval_start) >= 1.8e9 THEN interval_start END) AS late_ratio,
    max(last_ratio) AS used_ratio,
    (
        max(unix_micros(last_start))
        - max(CASE WHEN NOT is_new THEN first_us WHEN used_ratio <= 0.95 * least_ratio + 0.05 * last_ratio THEN unix_micros(interval_start) END)
    ) / 1e6 AS filling_s,
    max(local_end) AS last_end
FROM (
    SELECT
        *, last_ratio > first_ratio AND 2 * (last_ratio - first_ratio) >= last_ratio - least_ratio AS is_new
    FROM (
        SELECT
            *, min(used_ratio) OVER (PARTITION BY {{ keys }}) AS least_ratio,
            {{ each("max(CASE WHEN interval_start = NAME_start THEN used_ratio END) OVER (PARTITION BY " ~ keys ~ ")", "first last", "NAME_ratio") }},
            unix_micros(first_start) AS first_us
        FROM (
            SELECT *, min(interval_start) OVER (PARTITION BY {{ keys }}) AS first_start
            FROM (
                SELECT
                    {{ keys }}, interval_start, local_end, used_ratio, max(used_ratio) OVER (PARTITION BY {{ keys }}) AS fullest_ratio,
                    max(interval_start) OVER (PARTITION BY {{ keys }}) AS last_start
                FROM {{ relation }}
                WHERE used_ratio IS NOT NULL
            ) AS known
            WHERE unix_micros(interval_start) >= unix_micros(last_start) - 8.64e10
        ) AS of_day
    ) AS ended
) AS begun
GROUP BY {{ keys }}
{%- endmacro %}

{#
Among common table expressions: run, intervals in which a box delayed writes, with run_s, the length of the run of such intervals
around it.
#}
{% macro nvs_runs() -%}
delayed_part AS (
    SELECT
        box, interval_start, interval_s,
        coalesce(
            abs(
                unix_micros(interval_start) - lag(unix_micros(interval_start) + interval_s * 1000000)
                    OVER (PARTITION BY box ORDER BY interval_start)
            ) >= interval_s * 500000, TRUE
        ) AS is_apart
    FROM box_nvs_interval
    WHERE nvs_delay_count > 0
),
numbered AS (
    SELECT *, sum(CASE WHEN is_apart THEN 1 ELSE 0 END) OVER (PARTITION BY box ORDER BY interval_start) AS part
    FROM delayed_part
),
run AS (
    SELECT box, interval_start, sum(interval_s) OVER (PARTITION BY box, part) AS run_s FROM numbered
)
{%- endmacro %}

{#
How the bad intervals of LCUs and of single volumes follow each other. Among common table expressions: gives ran, with
the columns of a worst run and deep_s (most that a run of deep intervals lost; NULL where there is none), one row per platform,
system, lcu and volume of bad, which has above_ms and response_ms besides what a worst run wants.
#}
{% macro runs_of_bad() -%}
worst AS ({{ worst_run("bad", "platform, system, lcu, volume") }}),
deep AS (
    SELECT * FROM bad WHERE above_ms >= $deep_share * response_ms
),
deepest AS ({{ worst_run("deep", "platform, system, lcu, volume") }}),
ran AS (
    SELECT w.*, d.worst_lost AS deep_s
    FROM worst w
    LEFT JOIN deepest d ON d.platform = w.platform AND d.system = w.system AND d.lcu = w.lcu AND d.volume = w.volume
)
{%- endmacro %}

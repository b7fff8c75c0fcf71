{#
Intervals of LCUs whose command response time is long, or pend where no command response time is recorded: bad, with what they lost,
among common table expressions. The question has the parameters $io_rate, $above_ms, $above_factor,
$small_ms and $dear_h.
#}
{% macro slow_ways() -%}
{{ slow_paths("$io_rate", "$above_ms", "$above_factor") }},
{{ long_pend("$io_rate", "$above_ms", "$above_factor") }},
either AS (
    SELECT
        platform, system, lcu, interval_start, interval_s, local_start, local_end, io_rate, cmr_ms, usual_ms, others_ms,
        response_ms, wait_ms, is_above_own, cu_busy_ratio, cu_busy_delay_ms,
        FALSE AS is_pend, CAST(NULL AS BIGINT) AS volumes, TRUE AS has_busy,
        CAST(NULL AS BIGINT) AS paths_left, CAST(NULL AS BIGINT) AS most_paths, CAST(NULL AS STRING) AS long_volumes,
        CAST(NULL AS DOUBLE) AS cu_queue_ms, CAST(NULL AS STRING) AS channels, CAST(NULL AS DOUBLE) AS conn_ms,
        CAST(NULL AS DOUBLE) AS usual_conn_ms
    FROM slow
    UNION ALL
    SELECT
        platform, system, lcu, interval_start, interval_s, local_start, local_end, io_rate, pend_ms, usual_ms, NULL,
        response_ms, wait_ms, TRUE, NULL, NULL, TRUE, volumes, has_busy,
        paths_left, most_paths, long_volumes, cu_queue_ms, channels, conn_ms, usual_conn_ms
    FROM pending
),
bad AS (
    SELECT *, io_rate * (cmr_ms - usual_ms) * interval_s / 1000 AS lost FROM either
)
{%- endmacro %}

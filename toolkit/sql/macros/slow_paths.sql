{#
Intervals of LCUs whose command response time is far above what it was in their own best intervals, or above that of
the system's other LCUs (view lcu_usual_cmr). Among common table expressions: gives cmr_compared and slow. Rules that
explain a slow path by another cause ask the same as the rule that finds it.
#}
{% macro slow_paths(rate, ms, factor) -%}
cmr_compared AS (
    SELECT
        *,
        coalesce({{ rises("cmr_ms", "own_ms", factor, ms, "platform, system, lcu") }}, FALSE) AS is_above_own,
        coalesce(cmr_ms >= others_ms + {{ ms }} AND cmr_ms >= {{ factor }} * others_ms, FALSE) AS is_above_others
    FROM lcu_usual_cmr
    WHERE io_rate >= {{ rate }} OR io_rate * cmr_ms >= 500 -- half an I/O at all times
),
slow AS (
    SELECT *, CASE WHEN is_above_own THEN own_ms ELSE others_ms END AS usual_ms
    FROM cmr_compared
    WHERE is_above_own OR is_above_others
)
{%- endmacro %}

-- title: Delays of the path to LCUs in their own best intervals
-- grain: one row per platform, system, lcu, part
-- columns: platform, system, lcu
-- column part VARCHAR []: Which delay: way_ms, cmr_ms or rest_ms of _lcu_way
-- column best_ms DOUBLE [milliseconds]: That delay
-- column since TIMESTAMP [UTC]: Start of the LCU's first interval with enough I/Os
-- column until TIMESTAMP [UTC]: Start of its last one
-- note: Best intervals are those with 10 I/Os per second or more.
WITH counted AS (
    {%- for part in ["way_ms", "cmr_ms", "rest_ms"] %}
    SELECT platform, system, lcu, interval_start, '{{ part }}' AS part, {{ part }} AS ms
    FROM _lcu_way
    WHERE io_rate >= 10 AND {{ part }} IS NOT NULL
    {{ "UNION ALL" if not loop.last }}
    {%- endfor %}
)
{{ best_of("ms", "counted", "platform, system, lcu, part", "min(interval_start) AS since, max(interval_start) AS until") }}

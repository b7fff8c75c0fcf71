{#
Ranks, and extent pools of unknown ranks, whose reads from disk take far longer than in their best intervals. Among common table
expressions: bad, their intervals, with what these lost; compared, all intervals with enough reads, with is_bad. The question has the
parameters $read_rate, $above_factor, $above_ms and $always_ms.
#}
{% macro slow_ranks() -%}
seen AS (
    SELECT
        box, rank AS unit, TRUE AS is_rank, extent_pool, drive_class || ' ' || coalesce(raid_type, '') AS drives,
        is_degraded, is_throttled, interval_start, interval_s, local_start, local_end, read_rate, read_ms, write_rate,
        read_bytes_rate + write_bytes_rate AS bytes_rate,
        sum(read_rate) OVER (PARTITION BY box, extent_pool, interval_start) AS pool_rate
    FROM rank_interval
    UNION ALL
    SELECT
        p.box, p.extent_pool AS unit, FALSE AS is_rank, p.extent_pool, NULL AS drives, NULL AS is_degraded,
        NULL AS is_throttled, p.interval_start, p.interval_s, p.local_start, p.local_end, p.read_rate, p.read_ms,
        p.write_rate, p.read_bytes_rate + p.write_bytes_rate AS bytes_rate, p.read_rate AS pool_rate
    FROM extent_pool_interval p
    LEFT JOIN (SELECT DISTINCT box, extent_pool FROM rank_interval) r
        ON r.box = p.box AND r.extent_pool = p.extent_pool
    WHERE r.box IS NULL
),
measured AS (
    SELECT *, {{ has_enough_io("read_rate", "$read_rate", "read_ms") }} AS is_enough
    FROM seen
    WHERE read_rate > 0 AND read_ms IS NOT NULL
),
steady AS (
    SELECT * FROM measured WHERE read_rate >= $read_rate
),
best AS (
    {{ best_of("read_ms", "steady", "box, unit, is_rank") }}
),
judged AS (
    SELECT
        m.*, least(b.best_ms, $always_ms / $above_factor) AS best_ms,
        m.read_ms >= $always_ms OR (m.read_ms >= $above_factor * b.best_ms AND m.read_ms >= b.best_ms + $above_ms) AS is_slow
    FROM measured m
    JOIN best b ON b.box = m.box AND b.unit = m.unit AND b.is_rank = m.is_rank
),
-- where fewer reads are as slow, it goes on
run AS (
    SELECT
        *, sum(CASE WHEN is_slow THEN 0 ELSE 1 END) OVER (
            PARTITION BY box, unit, is_rank ORDER BY interval_start ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS run
    FROM judged
),
bad AS (
    SELECT *, read_rate * (read_ms - best_ms) * interval_s / 1000 AS lost
    FROM (
        SELECT
            *, bool_or(is_slow AND is_enough) OVER (
                PARTITION BY box, unit, is_rank, run ORDER BY interval_start ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS has_begun
        FROM run
    ) AS r
    WHERE is_slow AND has_begun
),
compared AS (
    SELECT m.*, b.box IS NOT NULL AS is_bad
    FROM measured m
    LEFT JOIN bad b
        ON b.box = m.box AND b.unit = m.unit AND b.is_rank = m.is_rank AND b.interval_start = m.interval_start
    WHERE m.is_enough
)
{%- endmacro %}

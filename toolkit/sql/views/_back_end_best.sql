-- view: _back_end_best
-- layer: derived
-- title: Mean time of a read from the disks of an extent pool in its best intervals
-- grain: one row per box, extent_pool
-- columns: box, extent_pool
-- column best_ms DOUBLE [milliseconds]: That time
-- column since TIMESTAMP [UTC]: Start of the pool's first interval with enough reads
-- column until TIMESTAMP [UTC]: Start of its last one
WITH back_end AS (
    SELECT box, extent_pool, interval_start, read_ms FROM extent_pool_interval WHERE read_rate >= 10 AND read_ms IS NOT NULL
),
best AS (
    {{ best_of("read_ms", "back_end", "box, extent_pool") }}
)
SELECT b.box, b.extent_pool, max(e.best_ms) AS best_ms, min(b.interval_start) AS since, max(b.interval_start) AS until
FROM back_end b
JOIN best e ON e.box = b.box AND e.extent_pool = b.extent_pool
GROUP BY b.box, b.extent_pool

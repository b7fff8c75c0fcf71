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
)
{{ best_of("read_ms", "back_end", "box, extent_pool", "min(interval_start) AS since, max(interval_start) AS until") }}

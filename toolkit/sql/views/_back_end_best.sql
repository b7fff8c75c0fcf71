-- title: Mean time of a read from the disks of an extent pool, and of a rank, in its best intervals
-- grain: one row per box, extent_pool, rank
-- columns: box, extent_pool, rank
-- column best_ms DOUBLE [milliseconds]: That time
-- column since TIMESTAMP [UTC]: Start of its first interval with enough reads
-- column until TIMESTAMP [UTC]: Start of its last one
WITH back_end AS (
    SELECT * FROM _back_end_time WHERE read_rate >= 10
)
{{ best_of("read_ms", "back_end", "box, extent_pool, rank", "min(interval_start) AS since, max(interval_start) AS until") }}

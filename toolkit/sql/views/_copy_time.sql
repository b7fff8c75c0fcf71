-- title: How long a write waits for a second box where its own box writes least
-- grain: one row per box
-- column box VARCHAR []: Box of volumes in pairs
-- column each_ms DOUBLE [milliseconds]: Mean of that wait
-- column box_write_rate DOUBLE [per second]: Writes of the box then
-- column since TIMESTAMP [UTC]: Start of the first such interval
-- column until TIMESTAMP [UTC]: Start of the last one
WITH written AS (
    SELECT box, min(io_rate * (1 - read_ratio)) AS least
    FROM _box_summed
    -- as in _copied
    WHERE io_rate * (1 - read_ratio) >= 5
    GROUP BY box
),
copied AS (
    SELECT c.*, c.disc_ms - c.miss_ratio * coalesce(p.back_end_ms, e.best_ms) AS written_ms
    FROM _copied c
    JOIN written w ON w.box = c.box
    LEFT JOIN _back_end_then p ON {{ equal("platform, system, interval_start, box, extent_pool", "p", "c") }}
    LEFT JOIN _back_end_best e ON e.box = c.box AND e.extent_pool = c.extent_pool AND e.rank = ''
    WHERE c.box_write_rate <= 2 * w.least
)
SELECT
    box,
    sum(write_rate * at_least_0(written_ms) / write_ratio) / nullif(sum(write_rate), 0) AS each_ms,
    avg(box_write_rate) AS box_write_rate,
    min(interval_start) AS since,
    max(interval_start) AS until
FROM copied
WHERE written_ms IS NOT NULL
GROUP BY box

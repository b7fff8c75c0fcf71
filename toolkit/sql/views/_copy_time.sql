-- view: _copy_time
-- layer: derived
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
    -- as in _volume_headroom
    WHERE io_rate * (1 - read_ratio) >= 5
    GROUP BY box
),
copied AS (
    SELECT
        h.copy_box, h.interval_start, h.box_write_rate, h.write_rate, h.write_ratio,
        h.disc_ms - h.misses * coalesce(h.copy_back_end_ms, e.best_ms) AS written_ms
    FROM _volume_headroom h
    LEFT JOIN _back_end_best e ON e.box = h.copy_box AND e.extent_pool = h.extent_pool
    WHERE h.copy_box IS NOT NULL
)
SELECT
    c.copy_box AS box,
    sum(c.write_rate * at_least_0(c.written_ms) / c.write_ratio) / nullif(sum(c.write_rate), 0) AS each_ms,
    avg(c.box_write_rate) AS box_write_rate,
    min(c.interval_start) AS since,
    max(c.interval_start) AS until
FROM copied c
JOIN written w ON w.box = c.copy_box
WHERE c.box_write_rate <= 2 * w.least AND c.written_ms IS NOT NULL
GROUP BY c.copy_box

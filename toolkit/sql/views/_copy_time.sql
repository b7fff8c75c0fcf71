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
    -- as in _copied
    WHERE io_rate * (1 - read_ratio) >= 5
    GROUP BY box
),
quiet AS (
    SELECT c.*
    FROM _copied c
    JOIN written w ON w.box = c.box
    WHERE c.box_write_rate <= 2 * w.least
),
copied AS (
    SELECT
        c.box, c.interval_start, c.box_write_rate,
        v.io_rate * (1 - v.read_ratio) AS write_rate,
        1 - v.read_ratio AS write_ratio,
        v.disc_ms - v.read_ratio * (1 - v.read_hit_ratio) * coalesce(p.back_end_ms, e.best_ms) AS written_ms
    FROM volume_interval v
    JOIN quiet c
        ON c.platform = v.platform AND c.system = v.system AND c.interval_start = v.interval_start
        AND c.volume = v.volume
    LEFT JOIN _back_end_then p
        ON p.platform = v.platform AND p.system = v.system AND p.interval_start = v.interval_start
        AND p.box = c.box AND p.extent_pool = v.extent_pool
    LEFT JOIN _back_end_best e ON e.box = c.box AND e.extent_pool = v.extent_pool
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

-- reach: a day
-- title: Intervals of volumes in a pair, with the writes of their box
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, volume
-- column box VARCHAR []: Box of the volume, as in box_volume_interval
-- column box_write_rate DOUBLE [per second]: Writes of that box
-- column write_rate DOUBLE [per second]: Writes of the volume
-- column write_ratio DOUBLE [ratio 0..1]: Share of its I/Os that write
-- column miss_ratio DOUBLE [ratio 0..1]: Share of its I/Os that read from disk
-- columns: disc_ms, extent_pool
-- note: See volume_headroom, which is made of it.
WITH written AS (
    SELECT box, interval_start, io_rate * (1 - read_ratio) AS write_rate
    FROM _box_summed
    -- fewer have no mean to speak of
    WHERE io_rate * (1 - read_ratio) >= 5
),
paired AS (
    SELECT
        b.platform, b.system, b.interval_start, b.volume, b.box,
        w.write_rate AS box_write_rate,
        b.io_rate * (1 - b.read_ratio) AS write_rate,
        b.read_ratio
    FROM _box_volume b
    JOIN _mirrored x ON x.volser = b.volume
    JOIN written w ON w.box = b.box AND w.interval_start = b.box_interval_start
    WHERE b.read_ratio < 1
)
SELECT
    b.platform, b.system, b.interval_start, b.volume, b.box, b.box_write_rate, b.write_rate,
    1 - b.read_ratio AS write_ratio,
    b.read_ratio * (1 - v.read_hit_ratio) AS miss_ratio,
    v.disc_ms,
    v.extent_pool
FROM volume_interval v
JOIN paired b ON {{ equal("platform, system, interval_start, volume", "b", "v") }}

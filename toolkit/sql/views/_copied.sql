-- view: _copied
-- layer: derived
-- reach: a day
-- title: Intervals of volumes in a pair, with the writes of their box
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, volume
-- column box VARCHAR []: Box of the volume, as in box_volume_interval
-- column box_write_rate DOUBLE [per second]: Writes of that box
-- note: See volume_headroom, which is made of it.
WITH written AS (
    SELECT box, interval_start, io_rate * (1 - read_ratio) AS write_rate
    FROM _box_summed
    -- fewer have no mean to speak of
    WHERE io_rate * (1 - read_ratio) >= 5
)
SELECT b.platform, b.system, b.interval_start, b.volume, b.box, w.write_rate AS box_write_rate
FROM _box_volume b
JOIN _mirrored x ON x.volser = b.volume
JOIN written w ON w.box = b.box AND w.interval_start = b.box_interval_start
WHERE b.read_ratio < 1

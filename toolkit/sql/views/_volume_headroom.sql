-- view: _volume_headroom
-- layer: derived
-- reach: a day
-- title: Bottlenecks of a volume's path and back end, interval by interval, without comparisons over all days
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, interval_s, volume, service_ms, cmr_ms, start_delay_ms, disc_ms, misses
-- column box VARCHAR []: Box of the volume's subsystem
-- columns: extent_pool
-- column back_end_ms DOUBLE [milliseconds]: Mean time of a read from the disks of the volume's extent pool
-- columns: channel_used_ratio
-- column copy_box VARCHAR []: Box of the volume, as in box_volume_interval, where it is in a pair and the box writes; else NULL, and so are the columns that follow
-- column box_write_rate DOUBLE [per second]: Writes of that box
-- column write_rate DOUBLE [per second]: Writes of the volume
-- column write_ratio DOUBLE [ratio 0..1]: Writes over its I/Os
-- column copy_back_end_ms DOUBLE [milliseconds]: As back_end_ms, of copy_box
-- columns: utc_offset_s
-- note: See volume_headroom, which is made of it.
WITH channel AS (
    SELECT
        a.platform, a.system, a.interval_start, u.channel_path,
        sum(u.used_ratio * u.interval_s) / sum(u.interval_s) AS used_ratio
    FROM disk_channel_interval u
    JOIN device_alignment a
        ON a.platform = u.platform AND a.system = u.system AND a.other_start = u.interval_start
        AND a.other_s = u.interval_s
    GROUP BY a.platform, a.system, a.interval_start, u.channel_path
),
fullest AS (
    SELECT platform, system, interval_start, max(used_ratio) AS used_ratio
    FROM channel
    GROUP BY platform, system, interval_start
),
back_end AS (
    SELECT box, extent_pool, interval_start, interval_s, read_ms
    FROM extent_pool_interval
    WHERE read_rate >= 10 AND read_ms IS NOT NULL
),
reach AS (
    -- hours that an interval lies in: one that holds a middle is of the middle's hour, where none is longer than one
    SELECT box, extent_pool, interval_start, interval_s, read_ms, {{ hour_of("interval_start") }} AS slot
    FROM back_end
    UNION
    SELECT box, extent_pool, interval_start, interval_s, read_ms,
        floor((unix_micros(interval_start) + 1e6 * interval_s) / 3.6e9) AS slot
    FROM back_end
),
middle AS (
    SELECT platform, system, interval_start, unix_micros(interval_start) + 5e5 * interval_s AS middle_us
    FROM measured_interval
),
behind AS (
    SELECT m.platform, m.system, m.interval_start, r.box, r.extent_pool, avg(r.read_ms) AS read_ms
    FROM middle m
    JOIN reach r
        ON r.slot = floor(m.middle_us / 3.6e9)
        AND unix_micros(r.interval_start) <= m.middle_us
        AND unix_micros(r.interval_start) + 1e6 * r.interval_s > m.middle_us
    GROUP BY m.platform, m.system, m.interval_start, r.box, r.extent_pool
),
written AS (
    SELECT box, interval_start, io_rate * (1 - read_ratio) AS write_rate
    FROM _box_summed
    -- fewer have no mean to speak of
    WHERE io_rate * (1 - read_ratio) >= 5
),
copied AS (
    SELECT
        b.platform, b.system, b.volume, b.interval_start, b.box,
        w.write_rate AS box_write_rate,
        v.io_rate * (1 - v.read_ratio) AS write_rate,
        1 - v.read_ratio AS write_ratio,
        p.read_ms
    FROM _mirrored x
    JOIN volume_interval v ON v.volume = x.volser AND v.read_ratio < 1 AND v.io_rate > 0
    JOIN box_volume_interval b
        ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
        AND b.interval_start = v.interval_start
    JOIN written w ON w.box = b.box AND w.interval_start = b.box_interval_start
    LEFT JOIN behind p
        ON p.platform = v.platform AND p.system = v.system AND p.interval_start = v.interval_start
        AND p.box = b.box AND p.extent_pool = v.extent_pool
)
SELECT
    v.*,
    l.css_delay_ms + l.cu_busy_delay_ms AS start_delay_ms,
    v.read_ratio * (1 - v.read_hit_ratio) AS misses,
    s.box,
    p.read_ms AS back_end_ms,
    f.used_ratio AS channel_used_ratio,
    c.box AS copy_box,
    c.box_write_rate,
    c.write_rate,
    c.write_ratio,
    c.read_ms AS copy_back_end_ms
FROM volume_interval v
LEFT JOIN fullest f ON f.platform = v.platform AND f.system = v.system AND f.interval_start = v.interval_start
LEFT JOIN lcu_interval l
    ON l.platform = v.platform AND l.system = v.system AND l.lcu = v.lcu AND l.interval_start = v.interval_start
LEFT {{ join_box_then("s", "v") }}
LEFT JOIN behind p
    ON p.platform = v.platform AND p.system = v.system AND p.interval_start = v.interval_start
    AND p.box = s.box AND p.extent_pool = v.extent_pool
LEFT JOIN copied c
    ON c.platform = v.platform AND c.system = v.system AND c.interval_start = v.interval_start AND c.volume = v.volume

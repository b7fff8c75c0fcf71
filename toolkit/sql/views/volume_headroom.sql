-- stored: no
-- title: Bottlenecks of a volume's path and back end, interval by interval
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, interval_s, volume, service_ms, cmr_ms, start_delay_ms, disc_ms
-- column miss_ms DOUBLE [milliseconds]: Part of read misses: misses per I/O times back_end_ms
-- column copy_ms DOUBLE [milliseconds]: Part of writes that wait for a second box, as long as they do where the box writes least: on the way, not in a queue; NULL where the volume is in no pair, or where the box does not write twice as much as then
-- column back_end_ms DOUBLE [milliseconds]: Mean time of a read from the disks of the volume's extent pool
-- column back_end_best_ms DOUBLE [milliseconds]: The same of the pool's best intervals
-- columns: channel_used_ratio, utc_offset_s
-- note: Values are NULL without their record: channels are in type 73, back-end times in 74.5 or 74.8, command response time in 74.1.
SELECT
    v.*,
    l.css_delay_ms + l.cu_busy_delay_ms AS start_delay_ms,
    v.read_ratio * (1 - v.read_hit_ratio) * p.back_end_ms AS miss_ms,
    CASE WHEN c.box_write_rate >= 2 * q.box_write_rate THEN (1 - v.read_ratio) * q.each_ms END AS copy_ms,
    p.back_end_ms,
    e.best_ms AS back_end_best_ms,
    f.channel_used_ratio
FROM volume_interval v
LEFT JOIN _channel_then f ON f.platform = v.platform AND f.system = v.system AND f.interval_start = v.interval_start
LEFT JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "v") }}
LEFT {{ join_box_then("s", "v") }}
LEFT JOIN _back_end_then p ON {{ equal("platform, system, interval_start", "p", "v") }}
    AND p.box = s.box AND p.extent_pool = v.extent_pool
LEFT JOIN _back_end_best e ON e.box = s.box AND e.extent_pool = v.extent_pool AND e.rank = ''
LEFT JOIN _copied c ON {{ equal("platform, system, interval_start, volume", "c", "v") }}
LEFT JOIN _copy_time q ON q.box = c.box

-- view: volume_headroom
-- layer: derived
-- stored: no
-- title: Bottlenecks of a volume's path and back end, interval by interval
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, interval_s, volume, service_ms, cmr_ms, start_delay_ms, disc_ms
-- column miss_ms DOUBLE [milliseconds]: Part of read misses: misses per I/O times back_end_ms
-- column copy_ms DOUBLE [milliseconds]: Part of writes that wait for a second box, as long as they do where the box writes least: on the way, not in a queue; NULL where the volume is in no pair, or where the box does not write twice as much as then
-- column back_end_ms DOUBLE [milliseconds]: Mean time of a read from the disks of the volume's extent pool
-- column back_end_best_ms DOUBLE [milliseconds]: The same of the pool's fourth best interval
-- columns: channel_used_ratio, utc_offset_s
-- note: Values are NULL without their record: channels are in type 73, back-end times in 74.5 or 74.8, command response time in 74.1.
SELECT
    h.*,
    h.misses * h.back_end_ms AS miss_ms,
    CASE WHEN h.box_write_rate >= 2 * q.box_write_rate THEN h.write_ratio * q.each_ms END AS copy_ms,
    e.best_ms AS back_end_best_ms
FROM _volume_headroom h
LEFT JOIN _back_end_best e ON e.box = h.box AND e.extent_pool = h.extent_pool
LEFT JOIN _copy_time q ON q.box = h.copy_box

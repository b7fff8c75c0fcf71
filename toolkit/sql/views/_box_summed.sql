-- reach: a day
-- title: Sums of all volumes of a box over all systems, interval by interval
-- grain: one row per interval_start, box
-- column interval_start TIMESTAMP [UTC]: Start of the box's interval, see box_clock
-- columns: interval_s
-- column box VARCHAR []: Box, see volume_box
-- columns: volumes, systems
-- column io_rate DOUBLE [per second]: Rate of all volumes = sum of io_rate
-- column io_count DOUBLE [events in the interval]: I/Os = sum of io_count
-- column in_service DOUBLE []: Mean number of I/Os in progress = sum of in_service
-- columns: device_busy
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the hosts = sum of queue_length
-- column wait_weight DOUBLE [per second]: Rate of the I/Os whose wait is known
-- columns: read_ratio, utc_offset_s
-- note: See box_interval, which is made of it.
SELECT
    interval_start, interval_s, box,
    count(DISTINCT coalesce(disk, platform || system || volume)) AS volumes,
    count(DISTINCT platform || system) AS systems,
    {{ each("sum(NAME)", "io_rate io_count in_service") }},
    sum(io_rate * device_busy_ms) / 1e3 AS device_busy,
    sum(queue_length) AS queue_length,
    sum(CASE WHEN queue_length IS NOT NULL THEN io_rate END) AS wait_weight,
    {{ mean_of("read_ratio", "io_rate") }} AS read_ratio,
    min(utc_offset_s) AS utc_offset_s
FROM volume_on_box_clock
WHERE io_rate > 0 AND service_ms > 0
GROUP BY interval_start, interval_s, box

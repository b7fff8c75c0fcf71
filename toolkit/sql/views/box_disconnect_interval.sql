-- view: box_disconnect_interval
-- layer: derived
-- title: Causes of a box's disconnect time: the parts of its volumes, weighted by rate
-- grain: one row per interval_start, box
-- columns: interval_start, interval_s
-- column box VARCHAR []: Box, see box_subsystem
-- column volumes BIGINT []: Volumes with I/O and disconnect time
-- column io_rate DOUBLE [per second]: I/Os of all systems to them
-- column disc_ms DOUBLE [milliseconds]: Disconnect per I/O = miss_ms + nvs_ms + replication_ms + unexplained_ms
-- column miss_ms DOUBLE [milliseconds]: Part of read misses, see disconnect_interval
-- column miss_low_ms DOUBLE [milliseconds]: Low bound
-- column miss_high_ms DOUBLE [milliseconds]: High bound
-- column nvs_ms DOUBLE [milliseconds]: Part of writes delayed for lack of NVS
-- column nvs_low_ms DOUBLE [milliseconds]: Low bound
-- column nvs_high_ms DOUBLE [milliseconds]: High bound
-- column replication_ms DOUBLE [milliseconds]: Part of writes that wait for a second box
-- column replication_low_ms DOUBLE [milliseconds]: Low bound
-- column replication_high_ms DOUBLE [milliseconds]: High bound
-- columns: unexplained_ms
-- column unexplained_low_ms DOUBLE [milliseconds]: Low bound
-- column unexplained_high_ms DOUBLE [milliseconds]: High bound
-- columns: utc_offset_s
SELECT
    interval_start,
    max(interval_s) AS interval_s,
    box,
    count(*) AS volumes,
    sum(io_rate) AS io_rate,
    sum(io_rate * disc_ms) / sum(io_rate) AS disc_ms,
    sum(io_rate * miss_ms) / sum(io_rate) AS miss_ms,
    sum(io_rate * miss_low_ms) / sum(io_rate) AS miss_low_ms,
    sum(io_rate * miss_high_ms) / sum(io_rate) AS miss_high_ms,
    sum(io_rate * nvs_ms) / sum(io_rate) AS nvs_ms,
    sum(io_rate * nvs_low_ms) / sum(io_rate) AS nvs_low_ms,
    sum(io_rate * nvs_high_ms) / sum(io_rate) AS nvs_high_ms,
    sum(io_rate * replication_ms) / sum(io_rate) AS replication_ms,
    sum(io_rate * replication_low_ms) / sum(io_rate) AS replication_low_ms,
    sum(io_rate * replication_high_ms) / sum(io_rate) AS replication_high_ms,
    sum(io_rate * unexplained_ms) / sum(io_rate) AS unexplained_ms,
    sum(io_rate * unexplained_low_ms) / sum(io_rate) AS unexplained_low_ms,
    sum(io_rate * unexplained_high_ms) / sum(io_rate) AS unexplained_high_ms,
    max(utc_offset_s) AS utc_offset_s
FROM disconnect_interval
WHERE box IS NOT NULL
GROUP BY interval_start, box

-- view: box_interval
-- layer: derived
-- title: Boxes: all volumes of all systems together, interval by interval
-- grain: one row per interval_start, box
-- column interval_start TIMESTAMP [UTC]: Earliest start of the volumes' intervals
-- column interval_s DOUBLE [s]: Longest of the volumes' intervals
-- column box VARCHAR []: Serial number of the box without leading zeros
-- column volumes BIGINT []: Volumes measured
-- column io_rate DOUBLE [per second]: Rate of all volumes = sum of io_rate
-- column wait_ms DOUBLE [milliseconds]: Mean wait = 1000 * sum of queue_length / sum of io_rate
-- column service_ms DOUBLE [milliseconds]: Mean service time = 1000 * sum of in_service / sum of io_rate
-- column response_ms DOUBLE [milliseconds]: Wait and service together = wait_ms + service_ms
-- column in_service DOUBLE []: Mean number of I/Os in progress = sum of in_service
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the hosts = sum of queue_length
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- note: Volumes whose subsystem the cache statistics do not tell are in no box.
WITH volume AS (
    SELECT
        s.interval_start,
        s.interval_s,
        b.box,
        s.volume,
        s.io_rate,
        s.in_service,
        s.queue_length,
        s.utc_offset_s,
        floor((unix_micros(s.interval_start) + 30000000) / 60000000.0) AS minute
    FROM shared_volume_interval s
    JOIN box_subsystem b ON b.subsystem = s.subsystem
),
summed AS (
    SELECT
        minute,
        box,
        min(interval_start) AS interval_start,
        max(interval_s) AS interval_s,
        count(*) AS volumes,
        sum(io_rate) AS io_rate,
        sum(in_service) AS in_service,
        sum(queue_length) AS queue_length,
        sum(CASE WHEN queue_length IS NOT NULL THEN io_rate END) AS wait_weight,
        sum(CASE WHEN in_service IS NOT NULL THEN io_rate END) AS service_weight,
        min(utc_offset_s) AS utc_offset_s
    FROM volume
    GROUP BY minute, box
)
SELECT
    interval_start,
    interval_s,
    box,
    volumes,
    io_rate,
    1000.0 * queue_length / nullif(wait_weight, 0) AS wait_ms,
    1000.0 * in_service / nullif(service_weight, 0) AS service_ms,
    1000.0 * queue_length / nullif(wait_weight, 0) + 1000.0 * in_service / nullif(service_weight, 0) AS response_ms,
    in_service,
    queue_length,
    utc_offset_s
FROM summed

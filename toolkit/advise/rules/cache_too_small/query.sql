-- question: cache_too_small
-- title: Volumes with reads to speak of: hits and disconnect, by box
-- grain: one row per box, volser
-- parameter $read_rate DOUBLE [per s]: Reads of a volume that counts
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column volser VARCHAR []: Volume serial; NULL if none
-- column hit_ratio DOUBLE [ratio 0..1]: Read hits over reads
-- column reads DOUBLE [I/Os]: Reads
-- column misses DOUBLE [I/Os]: Reads that missed
-- column sequential DOUBLE [I/Os]: Sequential requests
-- column ios DOUBLE [I/Os]: I/Os, as the cache statistics count them
-- column cache_bytes DOUBLE [bytes]: Cache of the box, as its largest subsystem reports it
-- column disc_s DOUBLE [s]: Disconnect time of all I/Os
-- column response_s DOUBLE [s]: Response time of all I/Os
-- column starts DOUBLE [I/Os]: I/Os, as the device statistics count them
-- column span_s DOUBLE [s]: Length of the measurements, mean over systems
WITH hits AS (
    SELECT
        b.box, c.volser,
        max(b.serial) AS serial,
        max(b.control_unit_type) AS control_unit_type,
        sum(c.read_hit_count) / nullif(sum(c.read_count), 0) AS hit_ratio,
        sum(c.read_count) AS reads,
        sum(c.read_count - c.read_hit_count) AS misses,
        sum(c.sequential_count) AS sequential,
        sum(c.io_count) AS ios,
        sum(c.interval_s) AS cache_s
    FROM cache_interval c
    JOIN box_subsystem b ON b.subsystem = c.subsystem
    WHERE c.volser IS NOT NULL
    GROUP BY b.box, c.volser
),
size AS (
    SELECT b.box, max(c.cache_bytes) AS cache_bytes
    FROM cache_subsystem_interval c
    JOIN box_subsystem b ON b.subsystem = c.subsystem
    GROUP BY b.box
),
times AS (
    SELECT
        volume,
        sum(io_rate * disc_ms * interval_s) / 1000 AS disc_s,
        sum(io_rate * response_ms * interval_s) / 1000 AS response_s,
        sum(io_rate * interval_s) AS starts,
        sum(interval_s) / count(DISTINCT system) AS span_s
    FROM volume_interval
    GROUP BY volume
)
SELECT
    h.box, h.serial, h.control_unit_type, h.volser, h.hit_ratio, h.reads, h.misses, h.sequential, h.ios, z.cache_bytes,
    t.disc_s, t.response_s, t.starts, t.span_s
FROM hits h
JOIN times t ON t.volume = h.volser
LEFT JOIN size z ON z.box = h.box
WHERE h.reads / nullif(h.cache_s, 0) >= $read_rate
ORDER BY h.box, t.disc_s DESC, h.volser

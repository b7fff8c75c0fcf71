-- question: low_hit_ratio
-- title: Volumes with few read hits whose response is mostly disconnect
-- grain: one row per volser, subsystem
-- parameter $hit_ratio DOUBLE [ratio]: Read hits over reads
-- parameter $disc_share DOUBLE [ratio]: Disconnect over response
-- parameter $read_rate DOUBLE [per s]: Mean read rate
-- column volser VARCHAR []: Volume serial; NULL if none
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- column hit_ratio DOUBLE [ratio 0..1]: Read hits over reads
-- column misses DOUBLE [I/Os]: Reads that missed
-- column sequential_ratio DOUBLE [ratio 0..1]: Sequential requests over all
-- column subsystem_ratio DOUBLE [ratio 0..1]: Read hits over reads, whole subsystem
-- column disc_s DOUBLE [s]: Disconnect time of all I/Os
-- column ios DOUBLE [I/Os]: I/Os of the whole span
-- column response_s DOUBLE [s]: Response time of all I/Os
-- column span_s DOUBLE [s]: Length of the measurements, mean over systems
WITH hits AS (
    SELECT
        volser, subsystem,
        sum(read_hit_count) / nullif(sum(read_count), 0) AS hit_ratio,
        sum(read_count) AS reads,
        sum(read_count - read_hit_count) AS misses,
        sum(sequential_count) / nullif(sum(io_count), 0) AS sequential_ratio
    FROM cache_interval
    GROUP BY volser, subsystem
),
whole AS (
    SELECT subsystem, sum(read_hit_count) / nullif(sum(read_count), 0) AS subsystem_ratio
    FROM cache_interval
    GROUP BY subsystem
),
times AS (
    SELECT
        volume,
        sum(io_rate * disc_ms * interval_s) / 1000 AS disc_s,
        sum(io_rate * interval_s) AS ios,
        sum(io_rate * response_ms * interval_s) / 1000 AS response_s,
        sum(interval_s) / count(DISTINCT system) AS span_s
    FROM volume_interval
    GROUP BY volume
)
SELECT
    h.volser, h.subsystem, h.hit_ratio, h.misses, h.sequential_ratio, w.subsystem_ratio, t.disc_s, t.ios,
    t.response_s, t.span_s
FROM hits h
JOIN whole w ON w.subsystem = h.subsystem
JOIN times t ON t.volume = h.volser
WHERE h.hit_ratio < $hit_ratio AND t.disc_s / nullif(t.response_s, 0) >= $disc_share
    AND h.reads / nullif(t.span_s, 0) >= $read_rate
ORDER BY t.disc_s DESC, h.volser

-- title: Director ports
-- about: FICON director ports over the whole span (type 74.7). A frame that waits for a buffer at the other end (pacing) is a link too slow or too long for its load.
-- missing: The lake has no director measurements (type 74.7).
-- column director: Director
-- column port: Port
-- column kind: Leads to
-- column attached: What is attached
-- columns: system
-- column read_mb .1: Received MB/s, mean
-- column write_mb .1: Sent MB/s, mean
-- columns: mb_peak
-- column pacing_ms .3: Pacing ms per frame, mean
-- column pacing_peak_ms .3: Pacing ms, worst
-- columns: peak
-- column errors .0: Errors
WITH clocked AS (
    SELECT *, max(frame_pacing_ms) OVER (PARTITION BY platform, system, director, port) AS worst_ms
    FROM director_port_interval
    WHERE online
)
SELECT director, port, max(kind) AS kind, max(attached) AS attached, system,
       {{ each(mean_of("NAME_bytes_rate", "interval_s") ~ " / 1e6", "read write", "NAME_mb") }},
       max(read_bytes_rate + write_bytes_rate) / 1e6 AS mb_peak,
       {{ mean_of("frame_pacing_ms", "write_frame_rate * interval_s") }} AS pacing_ms,
       max(frame_pacing_ms) AS pacing_peak_ms,
       min(CASE WHEN frame_pacing_ms = worst_ms AND worst_ms > 0 THEN local_start END) AS peak, sum(error_count) AS errors
FROM clocked
GROUP BY platform, system, director, port
ORDER BY errors DESC NULLS LAST, pacing_peak_ms DESC NULLS LAST, mb_peak DESC NULLS LAST, director, port, system

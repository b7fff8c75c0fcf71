-- title: Data sets that lose most time
-- about: By job and data set over the whole span (type 42.6), the 2,000 that lose most. Lost is the response time without conn, summed over all I/Os.
-- missing: The lake has no data set statistics (type 42.6).
-- column data_set: Data set
-- columns: job, system, volume
-- column storage_class: Storage class
-- columns: io_count, response_ms, wait_ms, pend_ms, disc_ms, conn_ms
-- column hit_percent .1: Hits %
-- column read_percent .1: Reads %
-- column sync_read_rate .2: Synchronous reads per s
-- column sync_write_rate .2: Synchronous writes per s
-- column sync_read_ms .3: ms per synchronous read
-- column sync_write_ms .3: ms per synchronous write
-- column total_response_ms .2: Response with them, ms
-- column lost_s .1: Lost s
SELECT data_set, job, system, max(volser) AS volume, max(storage_class) AS storage_class,
       CAST(sum(io_count) AS BIGINT) AS io_count,
       {{ each(mean_of("NAME", "io_count"), "response_ms wait_ms pend_ms disc_ms conn_ms") }},
       {{ each("100 * " ~ mean_of("NAME_ratio", "io_count"), "hit read", "NAME_percent") }},
       {{ each("nullif(" ~ mean_of("NAME", "interval_s") ~ ", 0)", "sync_read_rate sync_write_rate") }},
       {{ each(mean_of("NAME_ms", "NAME_rate * interval_s"), "sync_read sync_write", "NAME_ms") }},
       CASE
           WHEN sum(sync_read_rate) > 0 OR sum(sync_write_rate) > 0
           THEN {{ mean_of("total_response_ms", "total_io_rate * interval_s") }}
       END AS total_response_ms,
       sum((response_ms - conn_ms) * io_count) / 1000 AS lost_s
FROM dataset_interval
GROUP BY platform, system, job, data_set
ORDER BY lost_s DESC NULLS LAST, data_set, job, system
LIMIT 2000

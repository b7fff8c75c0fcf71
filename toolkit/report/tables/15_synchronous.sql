-- title: Synchronous I/O (zHyperLink)
-- about: I/Os that the processor waits for instead of starting them, with the normal I/Os of the same volumes (type 74.1 or listings). Failed requests are repeated as normal I/Os; shares are of the requests. Most I/Os first.
-- missing: No volume did synchronous I/O, or the lake has no such data.
-- columns: volume, system, read_rate
-- column read_ms .3: ms per read
-- columns: write_rate
-- column write_ms .3: ms per write
-- column mb .1: MB/s
-- column success_percent .1: Done %
-- column miss_percent .1: Not in cache %
-- column link_busy_percent .1: Link busy %
-- column reject_percent .1: Late or refused %
-- column io_rate .1: Normal I/Os per s
-- column response_ms .2: Normal response ms
-- column total_response_ms .2: Response of all, ms
{% set requests = "(coalesce(sync_request_rate, sync_read_rate + sync_write_rate) * interval_s)" -%}
SELECT volume, system,
       {{ each(mean_of("sync_NAME_rate", "interval_s"), "read write", "NAME_rate") }},
       {{ each(mean_of("sync_NAME_ms", "sync_NAME_rate * interval_s"), "read write", "NAME_ms") }},
       {{ mean_of("(sync_read_bytes_rate + sync_write_bytes_rate)", "interval_s") }} / 1e6 AS mb,
       {{ each("100 * " ~ mean_of("sync_NAME_ratio", requests), "success miss link_busy", "NAME_percent") }},
       100 * sum((sync_read_reject_ratio + sync_write_reject_ratio) * {{ requests }})
           / nullif(sum(CASE WHEN sync_read_reject_ratio IS NOT NULL THEN {{ requests }} END), 0) AS reject_percent,
       {{ mean_of("io_rate", "interval_s") }} AS io_rate,
       {{ mean_of("response_ms", "io_rate * interval_s") }} AS response_ms,
       {{ mean_of("total_response_ms", "total_io_rate * interval_s") }} AS total_response_ms
FROM volume_interval
WHERE sync_read_rate > 0 OR sync_write_rate > 0 OR sync_request_rate > 0
GROUP BY platform, volume, system
ORDER BY sum({{ requests }}) DESC, volume, system
LIMIT 2000

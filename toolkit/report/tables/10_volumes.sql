-- name: volumes
-- title: Volumes that lose most time
-- about: Means per I/O over the whole span, weighted by I/Os. Lost is the response time without conn, summed over all I/Os, per day of the span.
-- missing: The lake has no volume measurements.
-- column volume: Volume
-- column system: System
-- column lcu: LCU
-- column storage_group: Storage group
-- column subsystem: SSID
-- column io_rate .1: I/Os per s
-- column response_ms .2: Response ms
-- column wait_ms .2: IOSQ ms
-- column pend_ms .2: pend ms
-- column disc_ms .2: disc ms
-- column conn_ms .2: conn ms
-- column read_hit_percent .1: Read hits %
-- column lost_h .2: Lost h per day
WITH total AS (
    SELECT platform, volume, system, max(lcu) AS lcu, max(storage_group) AS storage_group,
           max(subsystem) AS subsystem, sum(io_rate * interval_s) / nullif(sum(interval_s), 0) AS io_rate,
           sum(io_rate * response_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS response_ms,
           sum(io_rate * wait_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS wait_ms,
           sum(io_rate * pend_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS pend_ms,
           sum(io_rate * disc_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS disc_ms,
           sum(io_rate * conn_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS conn_ms,
           100 * sum(io_rate * interval_s * read_ratio * read_hit_ratio)
               / nullif(sum(CASE WHEN read_hit_ratio IS NOT NULL THEN io_rate * interval_s * read_ratio END), 0)
               AS read_hit_percent,
           sum(io_rate * (response_ms - conn_ms) * interval_s) / 1000 * 24 / nullif(sum(interval_s), 0) AS lost_h
    FROM volume_interval
    WHERE response_ms IS NOT NULL
    GROUP BY platform, volume, system
)
SELECT volume, system, lcu, storage_group, subsystem, io_rate, response_ms, wait_ms, pend_ms, disc_ms, conn_ms,
       read_hit_percent, lost_h
FROM total
WHERE io_rate > 0
ORDER BY lost_h DESC NULLS LAST, volume, system, platform

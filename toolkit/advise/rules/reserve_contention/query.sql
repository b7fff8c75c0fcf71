-- question: reserve_contention
-- title: Volumes whose I/Os wait for the device
-- grain: one row per platform, system, volume
-- parameter $busy_ms DOUBLE [ms]: Device busy delay per I/O
-- parameter $busy_share DOUBLE [ratio]: Of the response time
-- parameter $io_rate DOUBLE [per s]: Rate below which nobody waits
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column volume VARCHAR []: Volume as in volume_interval
-- column peak_busy_ms DOUBLE [milliseconds]: Device busy delay, worst interval
-- column busy_ms DOUBLE [milliseconds]: Device busy delay, weighted by rate
-- column response_ms DOUBLE [milliseconds]: Mean response, weighted by rate
-- column lost_s DOUBLE [s]: Device busy delay in the bad intervals, summed over I/Os
-- column queue_else DOUBLE [I/Os]: Longest queue of the volume in all other intervals
-- column span_s DOUBLE [s]: Length of all intervals
-- column reserved_ratio DOUBLE [ratio 0..1]: Most that another system had it reserved then
-- column holder VARCHAR []: A system that had it reserved then; NULL if none of those read
-- column longest_s DOUBLE [s]: Most bad seconds in a run
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- column last_end TIMESTAMP [local time]: End of the last of them
WITH bad AS (
    SELECT
        platform, system, volume, interval_start, local_start, local_end, io_rate, interval_s, device_busy_ms,
        response_ms, queue_length,
        io_rate * device_busy_ms * interval_s / 1000 AS lost
    FROM volume_interval
    WHERE device_busy_ms >= $busy_ms AND device_busy_ms >= $busy_share * response_ms AND io_rate >= $io_rate
),
worst AS (/* worst run of bad by platform, system, volume */),
reserved AS (
    SELECT
        b.platform, b.system, b.volume,
        max(o.reserved_ratio) AS reserved_ratio,
        max(CASE WHEN o.reserved_ratio >= 0.01 THEN o.system END) AS holder
    FROM bad b
    JOIN volume_interval o ON o.volume = b.volume AND o.system <> b.system AND o.interval_start = b.interval_start
    GROUP BY b.platform, b.system, b.volume
),
total AS (
    SELECT
        platform, system, volume,
        max(device_busy_ms) AS peak_busy_ms,
        sum(lost) AS lost_s,
        sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
        sum(io_rate * device_busy_ms) / sum(io_rate) AS busy_ms
    FROM bad
    GROUP BY platform, system, volume
),
span AS (
    SELECT
        v.platform, v.system, v.volume,
        sum(v.interval_s) AS span_s,
        max(CASE WHEN b.volume IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    LEFT JOIN bad b
        ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
        AND b.interval_start = v.interval_start
    WHERE v.io_rate > 0
    GROUP BY v.platform, v.system, v.volume
)
SELECT
    t.platform, t.system, t.volume, t.peak_busy_ms, t.busy_ms, t.response_ms, t.lost_s, s.queue_else,
    s.span_s, r.reserved_ratio, r.holder, w.longest_s, w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.volume = t.volume
JOIN span s ON s.platform = t.platform AND s.system = t.system AND s.volume = t.volume
LEFT JOIN reserved r ON r.platform = t.platform AND r.system = t.system AND r.volume = t.volume
ORDER BY t.lost_s DESC, t.volume, t.system

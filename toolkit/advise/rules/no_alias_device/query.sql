-- question: no_alias_device
-- title: Devices without aliases for which I/Os queue
-- grain: one row per platform, system, volume
-- parameter $queue_length DOUBLE [I/Os]: Queued at once in an interval
-- parameter $wait_share DOUBLE [ratio]: Of the response time of that interval
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column volume VARCHAR []: Volume as in volume_interval
-- column device VARCHAR []: Device number
-- column device_type VARCHAR []: Device type
-- column io_rate DOUBLE [per second]: I/O rate in the interval with the longest queue
-- column queue_length DOUBLE [I/Os]: Queue of that interval
-- column wait_ms DOUBLE [milliseconds]: Wait of an I/O in that queue
-- column service_ms DOUBLE [milliseconds]: Service time then
-- column lost_s DOUBLE [s]: Time in the queue, summed over the I/Os of these intervals
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- column last_end TIMESTAMP [local time]: End of the last of them
WITH bad AS (
    SELECT
        platform, system, volume, device, device_type, interval_start, local_start, local_end, io_rate, queue_length,
        wait_ms, service_ms,
        queue_length * interval_s AS lost
    FROM volume_interval
    WHERE queue_length >= $queue_length AND wait_ms >= $wait_share * response_ms
        AND NOT /* whether device_type takes aliases */
),
worst AS (/* worst run of bad by platform, system, volume */),
longest AS (
    SELECT
        platform, system, volume, device, device_type, io_rate, queue_length, wait_ms, service_ms,
        sum(lost) OVER (PARTITION BY platform, system, volume) AS lost_s,
        row_number() OVER (PARTITION BY platform, system, volume ORDER BY queue_length DESC, interval_start) AS place
    FROM bad
)
SELECT
    l.platform, l.system, l.volume, l.device, l.device_type, l.io_rate, l.queue_length, l.wait_ms, l.service_ms, l.lost_s,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end
FROM longest l
JOIN worst w ON w.platform = l.platform AND w.system = l.system AND w.volume = l.volume
WHERE l.place = 1
ORDER BY l.lost_s DESC, l.system, l.volume

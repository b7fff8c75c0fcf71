-- title: Volumes that lose most time
-- about: Means per I/O over the whole span, weighted by I/Os. Lost is the response time without conn, summed over all I/Os, per day of the span; what less than a day lost is not carried to 24 hours.
-- missing: The lake has no volume measurements.
-- zvm: same
-- columns: volume, system, lcu
-- column storage_group: Storage group
-- columns: subsystem, io_rate, response_ms, wait_ms, pend_ms, disc_ms, conn_ms, read_hit_percent, extent_pool
-- column lost_h .2: Lost h per day
-- detail exposures .1: Exposures
-- detail peak: Peak, local time
-- detail peak_response_ms .2: Response at peak, ms
-- detail peak_wait_ms .2: IOSQ at peak, ms
-- detail peak_rate .1: I/Os per s at peak
-- detail peak_queue .2: I/Os queued at peak
-- detail read_percent .1: Reads % of I/Os
-- detail write_hit_percent .1: Write hits %
-- detail nvs_delay_peak .1: Writes delayed by NVS per s, worst
-- detail open_exchanges .2: Open exchanges, mean
-- detail interrupt_delay_ms .3: Interrupt delay ms
-- detail allocations .1: Allocations, mean
-- detail not_ready_percent .1: Not ready %
-- detail cylinders: Cylinders
-- detail hyperpav: HyperPAV
-- detail device: Device
-- detail platform: Platform
WITH measured AS (
    SELECT *, io_rate * interval_s AS ios, io_rate * (response_ms - conn_ms) * interval_s AS lost_ms, local_start AS t
    FROM volume_interval
    -- an unknown response is listed, an interval without I/Os has none
    WHERE response_ms IS NOT NULL OR io_rate > 0
)
SELECT platform, volume, system, max(lcu) AS lcu, max(storage_group) AS storage_group,
       max(subsystem) AS subsystem, max(extent_pool) AS extent_pool, sum(ios) / nullif(sum(interval_s), 0) AS io_rate,
       {{ each(mean_of("NAME", "ios"), "response_ms wait_ms pend_ms disc_ms conn_ms interrupt_delay_ms") }},
       100 * {{ mean_of("read_hit_ratio", "ios * read_ratio") }} AS read_hit_percent,
       100 * {{ mean_of("write_hit_ratio", "ios * (1 - read_ratio)") }} AS write_hit_percent,
       100 * {{ mean_of("read_ratio", "ios") }} AS read_percent,
       sum(io_rate * (response_ms - conn_ms) * interval_s) * {{ hours_a_day() }} AS lost_h,
       {{ each(mean_of("NAME", "interval_s"), "open_exchanges allocations") }},
       100 * {{ mean_of("not_ready_ratio", "interval_s") }} AS not_ready_percent, max(cylinders) AS cylinders,
       max(exposures) AS exposures, max(CASE WHEN platform = 'z/VM' AND device LIKE '0____' THEN substr(device, 2) ELSE device END) AS device, max(nvs_delay_rate) AS nvs_delay_peak,
       bool_or(is_hyperpav) AS hyperpav, max_by(t, peak_order(lost_ms, t)) AS peak,
       max_by(response_ms, peak_order(lost_ms, t)) AS peak_response_ms, max_by(wait_ms, peak_order(lost_ms, t)) AS peak_wait_ms,
       max_by(io_rate, peak_order(lost_ms, t)) AS peak_rate, max_by(queue_length, peak_order(lost_ms, t)) AS peak_queue
FROM measured
GROUP BY platform, volume, system
HAVING sum(ios) / nullif(sum(interval_s), 0) > 0
ORDER BY lost_h DESC NULLS LAST, volume, system, platform

-- title: Load of volumes in a window, at comparable rates at other times, and in all other intervals
-- grain: one row per system, volume with I/Os in that time
-- parameter $start_us DOUBLE [microseconds]: Start, local time
-- parameter $end_us DOUBLE [microseconds]: End
-- parameter $volumes VARCHAR []: Their names, each between two |
-- parameter $comparable DOUBLE [ratio]: Of the rate in that time, for another interval to be comparable
-- column median_service_ms DOUBLE [milliseconds]: Median service time in that time
-- column usual_rate DOUBLE [per second]: Mean rate in all other intervals; NULL where there is none
-- column median_rate DOUBLE [per second]: Median rate in them
-- column usual_service_ms DOUBLE [milliseconds]: Median service time in them
-- column comparable_ms DOUBLE [milliseconds]: Median service time at comparable rates; NULL where there were none
-- column comparable_wait_ms DOUBLE [milliseconds]: Median IOSQ at comparable rates
-- column comparable_before_s DOUBLE [s]: Time with comparable rates before the window; NULL where there is no other interval, as the next
-- column comparable_after_s DOUBLE [s]: The same after the window
-- column comparable_then_s DOUBLE [s]: The same in the window
WITH marked AS (
    SELECT
        system, volume, io_rate, interval_s, io_rate * interval_s AS ios, wait_ms, service_ms,
        unix_micros(local_start) + unix_micros(local_end) BETWEEN 2 * $start_us AND 2 * $end_us AS is_inside,
        unix_micros(local_start) + unix_micros(local_end) > 2 * $end_us AS is_after
    FROM volume_interval
    WHERE io_rate > 0 AND service_ms > 0 AND instr($volumes, '|' || volume || '|') > 0
),
inside AS (
    SELECT
        system, volume, sum(ios) / sum(interval_s) AS io_rate, sum(ios * service_ms) / sum(ios) AS service_ms,
        sum(ios * coalesce(wait_ms, 0)) / sum(ios) AS wait_ms,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY service_ms) AS median_service_ms
    FROM marked
    WHERE is_inside
    GROUP BY system, volume
),
busy AS (
    SELECT m.system, m.volume, sum(m.interval_s) AS comparable_then_s
    FROM marked m
    JOIN inside i ON i.system = m.system AND i.volume = m.volume
    WHERE m.is_inside AND m.io_rate >= $comparable * i.io_rate
    GROUP BY m.system, m.volume
)
SELECT
    i.system, i.volume, i.io_rate, i.service_ms, i.wait_ms, i.median_service_ms,
    sum(o.ios) / sum(o.interval_s) AS usual_rate,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY o.io_rate) AS median_rate,
    -- medians: the same trouble may come back in some of them
    percentile_cont(0.5) WITHIN GROUP (ORDER BY o.service_ms) AS usual_service_ms,
    percentile_cont(0.5) WITHIN GROUP (
        ORDER BY CASE WHEN o.io_rate >= $comparable * i.io_rate THEN o.service_ms END
    ) AS comparable_ms,
    percentile_cont(0.5) WITHIN GROUP (
        ORDER BY CASE WHEN o.io_rate >= $comparable * i.io_rate THEN coalesce(o.wait_ms, 0) END
    ) AS comparable_wait_ms,
    sum(CASE WHEN o.io_rate >= $comparable * i.io_rate AND NOT o.is_after THEN o.interval_s ELSE 0 END) AS comparable_before_s,
    sum(CASE WHEN o.io_rate >= $comparable * i.io_rate AND o.is_after THEN o.interval_s ELSE 0 END) AS comparable_after_s,
    b.comparable_then_s
FROM inside i
JOIN busy b ON b.system = i.system AND b.volume = i.volume
LEFT JOIN marked o ON o.system = i.system AND o.volume = i.volume AND NOT o.is_inside
GROUP BY i.system, i.volume, i.io_rate, i.service_ms, i.wait_ms, i.median_service_ms, b.comparable_then_s
ORDER BY i.system, i.volume

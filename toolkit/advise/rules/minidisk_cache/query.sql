-- question: minidisk_cache
-- title: Requests to each volume that minidisk cache avoids
-- grain: one row per platform, system, volume
-- column is_saved BOOLEAN []: Most requests are avoided; else none
-- column is_stopped BOOLEAN []: Most I/Os were avoided until stopped_at and none since; rates are those since
-- column stopped_at TIMESTAMP [local time]: End of the last interval with avoided I/Os
-- column requests_before DOUBLE [per second]: Requests before
-- column avoided_before DOUBLE [per second]: I/Os avoided before
-- column avoided_rate DOUBLE [per second]: I/Os avoided, mean of the span
-- column lost_s DOUBLE [seconds]: Time queued since it stopped; 0 where it did not
WITH seen AS (
    SELECT
        platform, system, volume, local_start, interval_s, io_rate, mdc_avoided_rate, read_ratio, disc_ms, service_ms, wait_ms,
        max(CASE WHEN mdc_avoided_rate > 0 THEN local_end END) OVER (PARTITION BY platform, system, volume) AS last_avoided
    FROM volume_interval
    WHERE mdc_avoided_rate IS NOT NULL AND io_rate IS NOT NULL
),
part AS (
    SELECT
        platform, system, volume, last_avoided, coalesce(local_start >= last_avoided, FALSE) AS is_after,
        sum(interval_s) AS spent_s,
        sum(io_rate * interval_s) AS ios,
        sum(mdc_avoided_rate * interval_s) AS avoided,
        sum(io_rate * wait_ms * interval_s) / 1000 AS waited_s
    FROM seen
    GROUP BY platform, system, volume, last_avoided, coalesce(local_start >= last_avoided, FALSE)
),
stopped AS (
    SELECT
        a.platform, a.system, a.volume, a.last_avoided AS stopped_at, coalesce(a.waited_s, 0) AS lost_s,
        a.ios / a.spent_s AS io_rate,
        (b.ios + b.avoided) / b.spent_s AS requests_before,
        b.avoided / b.spent_s AS avoided_before
    FROM part a
    JOIN part b ON b.platform = a.platform AND b.system = a.system AND b.volume = a.volume
    WHERE a.is_after AND NOT b.is_after
        AND b.avoided >= $saved * (b.ios + b.avoided)
        AND b.ios + b.avoided >= $io_rate * b.spent_s
        AND a.spent_s >= 60 * $minutes - 2
        -- half of what was avoided is I/O since: else nothing was asked for
        AND a.ios / a.spent_s >= (b.ios + 0.5 * b.avoided) / b.spent_s
),
span AS (
    SELECT
        platform, system, volume,
        sum(io_rate * interval_s) / sum(interval_s) AS io_rate,
        sum(mdc_avoided_rate * interval_s) / sum(interval_s) AS avoided_rate,
        {{ each(mean_of("NAME", "io_rate"), "read_ratio disc_ms service_ms") }}
    FROM seen
    GROUP BY platform, system, volume
)
SELECT
    s.system, s.volume, s.avoided_rate > 0 AS is_saved, p.volume IS NOT NULL AS is_stopped, p.stopped_at, p.requests_before,
    p.avoided_before, coalesce(p.io_rate, s.io_rate) AS io_rate, s.avoided_rate, s.read_ratio, s.disc_ms, s.service_ms,
    coalesce(p.lost_s, 0) AS lost_s
FROM span s
LEFT JOIN stopped p ON p.platform = s.platform AND p.system = s.system AND p.volume = s.volume
WHERE p.volume IS NOT NULL
    OR (
        s.io_rate + s.avoided_rate >= $io_rate
        AND (
            s.avoided_rate >= $saved * (s.io_rate + s.avoided_rate)
            OR (s.avoided_rate = 0 AND s.read_ratio >= $reads)
        )
    )
ORDER BY s.system, is_stopped DESC, is_saved, s.io_rate + s.avoided_rate DESC, s.volume

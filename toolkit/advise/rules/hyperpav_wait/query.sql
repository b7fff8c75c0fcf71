-- question: hyperpav_wait
-- title: LCUs whose HyperPAV volumes wait, without a record of whether the pool was exhausted
-- grain: one row per platform, system, lcu
-- column waiting_intervals BIGINT []: Intervals in which one of them waits
-- column unknown_intervals BIGINT []: Those of them for which no record has the pool's refusals
-- column queue_length_peak DOUBLE [I/Os]: Longest queue of one of them, mean of an interval
-- column first_volume VARCHAR []: The first of them by name
-- note: An interval with a record of the pool's denied I/Os is judged by that record alone. Record and interval belong together if the middle of one lies inside the other.
WITH known AS (
    SELECT
        platform, system, lcu,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + interval_s * 500000 AS middle_us,
        unix_micros(interval_start) + interval_s * 1000000 AS end_us
    FROM lcu_extra
    WHERE alias_denied_ratio IS NOT NULL
),
measured AS (
    SELECT
        v.platform, v.system, v.volume, coalesce(v.lcu, '') AS lcu, v.queue_length, v.wait_ms, v.response_ms, v.io_rate, v.cmr_ms,
        v.response_ms - v.wait_ms AS service_ms,
        unix_micros(v.interval_start) AS start_us,
        unix_micros(v.interval_start) + v.interval_s * 500000 AS middle_us,
        unix_micros(v.interval_start) + v.interval_s * 1000000 AS end_us
    FROM volume_interval v
    LEFT JOIN throttled_interval t ON {{ equal("platform, system, lcu, interval_start", "t", "v") }}
        AND t.explains_wait
    WHERE t.lcu IS NULL AND v.is_hyperpav AND v.queue_length >= $queue_length
        AND v.wait_ms >= $wait_share * v.response_ms
),
known_then AS (
    SELECT DISTINCT m.platform, m.system, m.lcu, m.start_us, m.end_us
    FROM (SELECT DISTINCT platform, system, lcu, start_us, middle_us, end_us FROM measured) m
    JOIN known t ON {{ equal("platform, system, lcu", "t", "m") }}
        AND t.start_us < m.end_us AND t.end_us > m.start_us
    WHERE (t.middle_us >= m.start_us AND t.middle_us < m.end_us)
        OR (m.middle_us >= t.start_us AND m.middle_us < t.end_us)
),
unknown_row AS (
    SELECT m.*
    FROM measured m
    LEFT JOIN known_then t ON {{ equal("platform, system, lcu, start_us, end_us", "t", "m") }}
    WHERE t.lcu IS NULL
),
unknown AS (
    SELECT
        platform, system, volume,
        max(lcu) AS lcu,
        max(queue_length) AS queue_length,
        max(wait_ms / nullif(response_ms, 0)) AS wait_share_ratio,
        sum(io_rate) AS io_rate,
        sum(io_rate * cmr_ms) AS cmr_sum,
        sum(io_rate * service_ms) AS service_sum,
        count(*) AS intervals
    FROM unknown_row
    GROUP BY platform, system, volume
),
waiting AS (
    SELECT platform, system, lcu, count(DISTINCT start_us) AS intervals FROM measured GROUP BY platform, system, lcu
),
unrecorded AS (
    SELECT platform, system, lcu, count(DISTINCT start_us) AS intervals FROM unknown_row GROUP BY platform, system, lcu
),
lost AS (
    SELECT
        platform, system, volume,
        sum(queue_length * interval_s) AS lost_s
    FROM volume_interval
    WHERE volume IN (SELECT volume FROM unknown)
    GROUP BY platform, system, volume
)
SELECT
    u.platform, u.system, u.lcu,
    count(*) AS volumes,
    max(w.intervals) AS waiting_intervals,
    max(r.intervals) AS unknown_intervals,
    max(u.queue_length) AS queue_length_peak,
    max(u.wait_share_ratio) AS wait_share_ratio,
    min(u.volume) AS first_volume,
    sum(l.lost_s) AS lost_s,
    sum(u.cmr_sum) / sum(u.io_rate) AS cmr_ms,
    sum(u.service_sum) / sum(u.io_rate) AS service_ms,
    sum(u.io_rate / u.intervals) AS io_rate
FROM unknown u
JOIN lost l ON l.platform = u.platform AND l.system = u.system AND l.volume = u.volume
JOIN waiting w ON w.platform = u.platform AND w.system = u.system AND w.lcu = u.lcu
JOIN unrecorded r ON r.platform = u.platform AND r.system = u.system AND r.lcu = u.lcu
GROUP BY u.platform, u.system, u.lcu
ORDER BY lost_s DESC, u.platform, u.system, u.lcu

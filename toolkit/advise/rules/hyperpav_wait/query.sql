-- question: hyperpav_wait
-- title: LCUs whose HyperPAV volumes wait while no record tells whether the pool ran dry
-- grain: one row per platform, system, lcu
-- parameter $queue_length DOUBLE [I/Os]: Queued at once in the worst interval
-- parameter $wait_share DOUBLE [ratio]: Of the response time of that interval
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column volumes BIGINT []: Volumes that wait
-- column queue_length_peak DOUBLE [I/Os]: Longest queue of one of them, mean of an interval
-- column wait_share_ratio DOUBLE [ratio 0..1]: Largest share of IOSQ in the response of one of them in such an interval
-- column first_volume VARCHAR []: The first of them by name
-- column lost_s DOUBLE [s]: Time in the host's queue a day, summed over I/Os
-- note: An hour with a record that tells the pool's refusals is judged by that; others stand for themselves.
WITH told AS (
    SELECT DISTINCT platform, system, lcu, floor((unix_micros(interval_start) / 1e6 + interval_s / 2) / 3600) AS hour_of
    FROM lcu_extra
    WHERE alias_denied_ratio IS NOT NULL
),
measured AS (
    SELECT
        platform, system, volume, lcu, queue_length, wait_ms, response_ms,
        floor((unix_micros(interval_start) / 1e6 + interval_s / 2) / 3600) AS hour_of
    FROM volume_interval
    WHERE is_hyperpav AND queue_length >= $queue_length AND wait_ms >= $wait_share * response_ms
),
untold AS (
    SELECT
        m.platform, m.system, m.volume,
        max(m.lcu) AS lcu,
        max(m.queue_length) AS queue_length,
        max(m.wait_ms / nullif(m.response_ms, 0)) AS wait_share_ratio
    FROM measured m
    LEFT JOIN told t
        ON t.platform = m.platform AND t.system = m.system AND t.lcu = m.lcu AND t.hour_of = m.hour_of
    WHERE t.lcu IS NULL
    GROUP BY m.platform, m.system, m.volume
),
lost AS (
    SELECT
        platform, system, volume,
        sum(queue_length * interval_s) * 86400 / greatest(sum(interval_s), 86400) AS lost_s
    FROM volume_interval
    GROUP BY platform, system, volume
)
SELECT
    u.platform, u.system, u.lcu,
    count(*) AS volumes,
    max(u.queue_length) AS queue_length_peak,
    max(u.wait_share_ratio) AS wait_share_ratio,
    min(u.volume) AS first_volume,
    sum(l.lost_s) AS lost_s
FROM untold u
JOIN lost l ON l.platform = u.platform AND l.system = u.system AND l.volume = u.volume
GROUP BY u.platform, u.system, u.lcu
ORDER BY lost_s DESC, u.platform, u.system, u.lcu

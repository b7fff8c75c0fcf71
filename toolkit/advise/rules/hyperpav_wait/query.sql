-- question: hyperpav_wait
-- title: LCUs whose HyperPAV volumes wait while no record tells whether the pool ran dry
-- grain: one row per platform, system, lcu
-- parameter $queue_length DOUBLE [I/Os]: Queued at once in the worst interval
-- parameter $wait_share DOUBLE [ratio]: Of the response time, mean over the span
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column volumes BIGINT []: Volumes that wait
-- column queue_length_peak DOUBLE [I/Os]: Longest queue of one of them, mean of an interval
-- column wait_share_ratio DOUBLE [ratio 0..1]: Largest share of IOSQ in the response of one of them
-- column first_volume VARCHAR []: The first of them by name
-- column lost_s DOUBLE [s]: Time in the host's queue a day, summed over I/Os
WITH told AS (
    SELECT DISTINCT platform, system, lcu FROM lcu_extra WHERE alias_denied_ratio IS NOT NULL
),
candidate AS (
    SELECT c.*
    FROM pav_candidate c
    LEFT JOIN told t ON t.platform = c.platform AND t.system = c.system AND t.lcu = c.lcu
    WHERE c.verdict = 'add' AND c.is_hyperpav AND c.alias_denied_count IS NULL AND t.lcu IS NULL
        AND c.queue_length_peak >= $queue_length AND c.wait_share_ratio >= $wait_share
),
lost AS (
    SELECT
        platform, system, volume,
        sum(queue_length * interval_s) * 86400 / greatest(sum(interval_s), 86400) AS lost_s
    FROM volume_interval
    GROUP BY platform, system, volume
)
SELECT
    c.platform, c.system, c.lcu,
    count(*) AS volumes,
    max(c.queue_length_peak) AS queue_length_peak,
    max(c.wait_share_ratio) AS wait_share_ratio,
    min(c.volume) AS first_volume,
    sum(l.lost_s) AS lost_s
FROM candidate c
JOIN lost l ON l.platform = c.platform AND l.system = c.system AND l.volume = c.volume
GROUP BY c.platform, c.system, c.lcu
ORDER BY lost_s DESC, c.platform, c.system, c.lcu

-- title: LCUs whose HyperPAV volumes wait, without a record of whether the pool was exhausted (78.3, I/O queuing listing, D6R28)
-- grain: one row per platform, system, lcu
-- column names VARCHAR []: The volumes, separated by |
-- column unknown_intervals BIGINT []: Intervals in which one of them waits, and no record has the pool's refusals
-- column queue_length_peak DOUBLE [I/Os]: Longest queue of one of them, mean of an interval
-- column pool_queue_peak DOUBLE [I/Os]: Longest queue of all of them together
-- column waiting_intervals BIGINT []: All intervals in which one of them waits
-- column aliases BIGINT []: Aliases of the pool then, most; on z/VM the alias devices of the system that are measured
-- column open_ios DOUBLE [I/Os]: I/Os in progress on these volumes and measured aliases, mean of these intervals
-- column used_ratio DOUBLE [ratio 0..1]: Of the volumes that wait and the aliases, those in use
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
waits AS (
    -- the volumes of a pool wait for the same aliases; where the LCU is unknown, each for its own
    SELECT
        *,
        sum(queue_length) OVER (PARTITION BY platform, system, coalesce(lcu, volume), interval_start) AS pool_queue,
        max(queue_length) OVER (PARTITION BY platform, system, coalesce(lcu, volume), interval_start) AS longest_queue
    FROM volume_interval
    WHERE is_hyperpav AND queue_length > 0 AND wait_ms >= $wait_share * response_ms
),
measured AS (
    SELECT
        v.platform, v.system, v.volume, coalesce(v.lcu, '') AS lcu, v.queue_length, v.pool_queue, v.wait_ms, v.response_ms, v.io_rate, v.cmr_ms,
        v.in_service, v.interval_start, v.interval_s, v.local_start, v.local_end,
        v.response_ms - v.wait_ms AS service_ms,
        unix_micros(v.interval_start) AS start_us,
        unix_micros(v.interval_start) + v.interval_s * 500000 AS middle_us,
        unix_micros(v.interval_start) + v.interval_s * 1000000 AS end_us
    FROM waits v
    LEFT JOIN throttled_interval t ON {{ equal("platform, system, lcu, interval_start", "t", "v") }} AND t.explains_wait
    WHERE t.lcu IS NULL
        AND v.pool_queue >= $queue_length
        -- where none has a queue of its own, all that wait long make one
        AND CASE WHEN v.longest_queue >= $queue_length THEN v.queue_length >= $queue_length ELSE v.wait_ms >= $long_share * v.response_ms END
),
known_then AS (
    SELECT DISTINCT m.platform, m.system, m.lcu, m.start_us, m.end_us
    FROM (SELECT DISTINCT platform, system, lcu, start_us, middle_us, end_us FROM measured) m
    JOIN known t ON {{ equal("platform, system, lcu", "t", "m") }} AND t.start_us < m.end_us AND t.end_us > m.start_us
    WHERE (t.middle_us >= m.start_us AND t.middle_us < m.end_us)
        OR (m.middle_us >= t.start_us AND m.middle_us < t.end_us)
),
bad AS (
    SELECT m.*, m.queue_length * m.interval_s AS lost
    FROM measured m
    LEFT JOIN known_then t ON {{ equal("platform, system, lcu, start_us, end_us", "t", "m") }}
    WHERE t.lcu IS NULL
),
of_lcu AS (
    SELECT platform, system, lcu, local_start, max(local_end) AS local_end, sum(lost) AS lost
    FROM bad
    GROUP BY platform, system, lcu, local_start
),
waiting AS (
    SELECT platform, system, lcu, count(DISTINCT start_us) AS waiting_intervals FROM measured GROUP BY platform, system, lcu
),
waiting_then AS (
    SELECT platform, system, lcu, interval_start, count(*) AS bases, sum(in_service) AS open_ios
    FROM bad
    GROUP BY platform, system, lcu, interval_start
),
alias_then AS (
    SELECT platform, system, interval_start, count(*) AS aliases, sum(in_service) AS open_ios
    FROM device_interval
    WHERE role = 'alias' AND platform = 'z/VM' AND in_service IS NOT NULL
    GROUP BY platform, system, interval_start
),
pool_then AS (
    SELECT
        w.platform, w.system, w.lcu, w.bases, coalesce(l.hyperpav_aliases, a.aliases) AS aliases,
        w.open_ios + coalesce(a.open_ios, 0) AS open_ios
    FROM waiting_then w
    LEFT JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "w") }}
    LEFT JOIN alias_then a ON {{ equal("platform, system, interval_start", "a", "w") }}
),
pool AS (
    SELECT
        platform, system, lcu, max(aliases) AS aliases, avg(open_ios) AS open_ios, sum(open_ios) / sum(bases + aliases) AS used_ratio
    FROM pool_then
    WHERE aliases > 0
    GROUP BY platform, system, lcu
),
rates AS (
    SELECT platform, system, lcu, sum(io_rate) AS io_rate
    FROM (SELECT platform, system, lcu, volume, avg(io_rate) AS io_rate FROM bad GROUP BY platform, system, lcu, volume) AS r
    GROUP BY platform, system, lcu
),
{% call incident("of_lcu", "platform, system, lcu", of="bad", also=["waiting", "rates", "pool"]) %}
    count(DISTINCT volume) AS volumes,
    array_join(sort_array(collect_set(volume)), '|') AS names,
    count(DISTINCT start_us) AS unknown_intervals,
    max(queue_length) AS queue_length_peak,
    max(pool_queue) AS pool_queue_peak,
    max(wait_ms / nullif(response_ms, 0)) AS wait_share_ratio,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "cmr_ms service_ms") }}
{% endcall %}
ORDER BY w.lost DESC, a.platform, a.system, a.lcu

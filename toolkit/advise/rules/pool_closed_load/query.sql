-- question: pool_closed_load
-- title: Alias pools filled by closed workload: all volumes of the box in the worst such interval of each hour of the day
-- grain: one row per pool, interval, platform, system, volume
-- parameter $denied_ratio DOUBLE [ratio]: I/Os without a free alias in an interval
-- parameter $queue_length DOUBLE [I/Os]: Queued for the pool
-- parameter $busy DOUBLE [ratio]: Of the aliases in use, at least
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
-- column pool_system VARCHAR []: System whose pool it is
-- column pool VARCHAR []: What lends and borrows together: group and the number of the alias management group where the records name one, else LCU and its number
-- column aliases BIGINT []: Aliases of the pool in this interval
-- column busy_ratio DOUBLE [ratio]: Least number of its aliases that can have been in use, over all
-- column interval_lost_s DOUBLE [s]: Time in the host's queue of the pool in this interval, summed over I/Os
-- column is_closed BOOLEAN []: The volume draws on the pool
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column box_interval_start TIMESTAMP [UTC]: Start of the box's interval
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column volume VARCHAR []: Volume as in volume_interval
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column local_start TIMESTAMP [local time]: Start of the interval by the system's clock; as interval_start where its offset is unknown
-- column local_end TIMESTAMP [local time]: End of the interval by the same clock
-- column io_rate DOUBLE [per second]: Start-subchannel rate
-- column wait_ms DOUBLE [milliseconds]: Mean IOSQ of this interval
-- column service_ms DOUBLE [milliseconds]: Pend, disconnect and connect together
-- column in_service DOUBLE []: Mean number of I/Os in progress (Little's law)
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the host (Little's law)
-- column exposures DOUBLE []: Base plus aliases
-- column is_hyperpav BOOLEAN []: HyperPAV base
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes
-- column lcu_names VARCHAR []: Its LCUs, separated by |
-- column alias_group VARCHAR []: Alias management group whose control units lend to each other, as the source names it
-- column queue_else DOUBLE [I/Os]: Longest queue of the pool while it was dry outside closed workload, intervals beside it left out
-- column closed_s DOUBLE [s]: Time in the host's queue in intervals of closed workload, summed over I/Os
-- column span_s DOUBLE [s]: Length of all intervals
-- column denied_ratio DOUBLE [per I/O]: Refusals per I/O, worst interval and LCU
-- column per_base BIGINT []: Most aliases in use by one base
-- column points BIGINT []: Intervals that the curve is read from
-- column elasticity_ratio DOUBLE [ratio]: By how much per cent the rate would rise with one per cent more I/Os in the box
-- column fit_ratio DOUBLE [ratio 0..1]: Coefficient of determination (R²) of that line
-- column spread_ratio DOUBLE [ratio]: Standard deviation of ln(service time) over that of ln(I/Os in the box)
-- column in_service_max DOUBLE []: Most I/Os in progress in the box, mean of an interval
-- column in_service_min DOUBLE []: Fewest of those intervals
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- note: A volume whose base is always busy uses one alias less than it has I/Os in progress, any other uses more: the sum is the least that can have been in use.
WITH used AS (
    SELECT
        l.platform, l.system, l.pool, l.interval_start,
        max(s.box) AS box,
        max(s.box_interval_start) AS box_interval_start,
        sum(greatest(s.in_service - 1, 0)) AS in_use
    FROM lcu_alias_interval l
    JOIN box_volume_interval s
        ON s.platform = l.platform AND s.system = l.system AND s.lcu = l.lcu AND s.interval_start = l.interval_start
    GROUP BY l.platform, l.system, l.pool, l.interval_start
),
full_pool AS (
    SELECT
        p.platform, p.system, p.pool, p.interval_start, p.local_start, p.local_end, p.aliases, p.queue_length, u.box,
        u.box_interval_start,
        u.in_use / p.aliases AS busy_ratio,
        p.queue_length * p.interval_s AS lost
    FROM alias_pool_interval p
    JOIN used u
        ON u.platform = p.platform AND u.system = p.system AND u.pool = p.pool AND u.interval_start = p.interval_start
    WHERE p.alias_denied_ratio_max >= $denied_ratio AND p.aliases > 0 AND p.queue_length >= $queue_length
        AND u.in_use >= $busy * p.aliases
),
bad AS (
    SELECT *
    FROM full_pool
    WHERE busy_ratio >= 1
        OR queue_length * (1 - busy_ratio) < $evenness * pow(busy_ratio, sqrt(2 * (aliases + 1)))
),
worst AS (/* worst run of bad by platform, system, pool */),
ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY platform, system, pool, hour(local_start) ORDER BY lost DESC, local_start
        ) AS place
    FROM bad
),
beside AS (
    -- an interval next to a closed one holds the rest of the same work
    SELECT p.*, b.lost AS closed,
        lag(b.pool) OVER (PARTITION BY p.platform, p.system, p.pool ORDER BY p.interval_start) IS NOT NULL
            OR lead(b.pool) OVER (PARTITION BY p.platform, p.system, p.pool ORDER BY p.interval_start) IS NOT NULL
            AS is_beside
    FROM alias_pool_interval p
    LEFT JOIN bad b
        ON b.platform = p.platform AND b.system = p.system AND b.pool = p.pool AND b.interval_start = p.interval_start
),
waited AS (
    SELECT
        platform, system, pool,
        max(CASE WHEN closed IS NULL AND NOT is_beside AND alias_denied_ratio_max > 0 THEN queue_length END)
            AS queue_else,
        sum(closed) AS closed_s,
        sum(interval_s) AS span_s,
        max(alias_denied_ratio_max) AS denied_ratio,
        max(alias_high_water_per_base) AS per_base
    FROM beside
    GROUP BY platform, system, pool
)
SELECT
    r.system AS pool_system, r.pool, r.aliases, r.busy_ratio, r.lost AS interval_lost_s,
    l.lcu IS NOT NULL AS is_closed,
    s.box, s.box_interval_start, s.serial, s.control_unit_type, s.platform, s.system, s.volume, s.lcu, s.local_start,
    s.local_end, s.io_rate, s.wait_ms, s.service_ms, s.in_service, s.queue_length, s.exposures, s.is_hyperpav,
    s.read_ratio, n.lcu_names, n.alias_group, t.queue_else, t.closed_s, t.span_s, t.denied_ratio, t.per_base,
    v.points, v.elasticity_ratio, v.fit_ratio, v.spread_ratio, v.in_service_max, v.in_service_min,
    w.window_start, w.window_end, w.bad_intervals, w.runs
FROM ranked r
JOIN box_volume_interval s ON s.box = r.box AND s.box_interval_start = r.box_interval_start
JOIN alias_pool n ON n.platform = r.platform AND n.system = r.system AND n.pool = r.pool
JOIN waited t ON t.platform = r.platform AND t.system = r.system AND t.pool = r.pool
JOIN worst w ON w.platform = r.platform AND w.system = r.system AND w.pool = r.pool
LEFT JOIN lcu_alias_interval l
    ON l.platform = r.platform AND l.system = r.system AND l.pool = r.pool AND l.interval_start = r.interval_start
    AND l.platform = s.platform AND l.system = s.system AND l.lcu = s.lcu
LEFT JOIN box_curve v ON v.box = r.box
WHERE r.place = 1
ORDER BY r.platform, r.system, r.pool, r.interval_start, s.system, s.volume

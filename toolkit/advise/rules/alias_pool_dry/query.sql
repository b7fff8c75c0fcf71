-- question: alias_pool_dry
-- title: Pools that I/Os found without a free alias, and their volumes in the worst interval of each hour of the day
-- grain: one row per platform, system, pool, interval and volume
-- parameter $denied_ratio DOUBLE [ratio]: I/Os without a free alias in an interval
-- parameter $denied_least DOUBLE [ratio]: The same where the LCU's volumes queue
-- parameter $wait_share DOUBLE [ratio]: Wait over response for that
-- parameter $queue_length DOUBLE [I/Os]: Queued for the pool, for an hour to be reported
-- parameter $tried_rate DOUBLE [ratio]: Of the rate, with another size, to be a trial
-- column peak_ratio DOUBLE [per I/O]: Refusals per I/O, worst interval and LCU
-- column dry_lcus BIGINT []: Most LCUs that were dry at once
-- column denied DOUBLE [I/Os]: I/Os that found no free alias, as counted
-- column requests DOUBLE [I/Os]: HyperPAV I/O requests
-- column refused DOUBLE [I/Os]: I/Os without a free alias, worked out where no count is printed
-- column high_water BIGINT []: Most aliases in use at once
-- column aliases_now BIGINT []: Aliases of the pool in its last interval; NULL if the number configured is unknown
-- column since_start TIMESTAMP [local time]: From when on it had that many, and what the pool did with them
-- column since_queue DOUBLE [I/Os]: Longest queue
-- column since_rate DOUBLE [per second]: Highest rate
-- column since_response_ms DOUBLE [milliseconds]: Mean response of its volumes at that rate
-- column larger_aliases BIGINT []: Most it ever had above that, and until when; NULL where it never did
-- column larger_until TIMESTAMP [local time]: End of the last such interval
-- column box_now VARCHAR []: Box that the pool is in, where the intervals asked about were in another; NULL where they were not, as the four that follow
-- column moved_start TIMESTAMP [local time]: From when on it is there
-- column moved_queue DOUBLE [I/Os]: Longest queue since
-- column moved_rate DOUBLE [per second]: Highest rate since
-- column moved_response_ms DOUBLE [milliseconds]: Mean response of its volumes at that rate
-- column per_base BIGINT []: Most aliases in use by one base
-- column borrowed DOUBLE [times]: Aliases borrowed from other LCUs of the group
-- column peak_queue DOUBLE [I/Os]: Mean queue of the worst interval
-- column peak_wait_ms DOUBLE [milliseconds]: Longest mean IOSQ of an LCU
-- column waiting BIGINT []: Most devices that waited in an interval
-- column throttled BIGINT [I/Os]: I/Os delayed by alias throttling
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- column last_end TIMESTAMP [local time]: End of the last of them
-- column bad_days BIGINT [days]: Days with a bad interval
-- column exchange_ms DOUBLE [milliseconds]: Time an I/O is open at the control unit, dry intervals: open exchanges over rate
-- column open_exchanges DOUBLE [I/Os]: Open at the control units of the pool, mean of the dry intervals
-- column path_rate DOUBLE [per second]: Starts on all paths, mean of the dry intervals
-- column cmr_low_ms DOUBLE [milliseconds]: The same of the fastest path
-- column cmr_high_ms DOUBLE [milliseconds]: The same of the slowest path
-- column channel_paths VARCHAR []: The paths
-- column way_above_ms DOUBLE [milliseconds]: Pend without device busy above what it was in the LCUs' best intervals, dry intervals
-- column hour_queue DOUBLE [I/Os]: Mean queue of the pool in this interval
-- column hour_wait_ms DOUBLE [milliseconds]: Longest mean IOSQ of its LCUs in this interval
-- column hour_above_ms DOUBLE [milliseconds]: Pend without device busy above what it was in the LCUs' best intervals, in this interval
-- column hour_css_ms DOUBLE [milliseconds]: CSS delay in this interval
-- column hour_busy_ms DOUBLE [milliseconds]: Control unit busy delay in this interval
-- column hour_cmr_ms DOUBLE [milliseconds]: Initial command response time in this interval
-- column hour_service_ms DOUBLE [milliseconds]: Service time of the pool's LCUs in this interval
-- column own_read_ratio DOUBLE [ratio 0..1]: Reads of the volume over its reads and writes
-- column own_cmr_ms DOUBLE [milliseconds]: Initial command response time of the volume
-- column in_box DOUBLE [I/Os]: Mean number of I/Os in progress in the box in that interval
-- column other_system VARCHAR []: System with a larger pool of the same LCU; NULL where none has one, as the two that follow
-- column other_aliases BIGINT []: Aliases of that pool
-- column other_high_water BIGINT []: Most of them in use at once
-- column group_rate DOUBLE [per second]: Starts of the whole group where a listing prints fewer of its LCUs; NULL elsewhere, as the next
-- column told_rate DOUBLE [per second]: Starts of the LCUs it prints
-- column trial_start TIMESTAMP [UTC]: Interval in which the pool, which had several sizes, had about as many I/Os or more, of any size; NULL where none was, and on all rows but the pool's first volume, which has one for each
-- column trial_s DOUBLE [s]: Length of that interval, and what the pool's volumes did then
-- column trial_aliases BIGINT []: Aliases of the pool
-- column trial_rate DOUBLE [per second]: Start-subchannel rate of its volumes
-- column trial_in_service DOUBLE []: Mean number of their I/Os in progress
-- column trial_queue DOUBLE []: Mean number waiting in the host
-- column trial_read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes
-- note: Each pool's volumes in the worst interval of each hour of the day with such a queue; the worst of all has place 1.
WITH dry AS (
    SELECT platform, system, pool, interval_start, count(DISTINCT lcu) AS dry_lcus
    FROM lcu_alias_interval
    -- few I/Os of an interval may be refused, and wait long: a queue counts however many it is made of
    WHERE alias_denied_ratio >= $denied_ratio
        OR (alias_denied_ratio >= $denied_least AND queue_length >= $queue_length AND wait_ms >= $wait_share * response_ms)
    GROUP BY platform, system, pool, interval_start
),
dry_then AS (
    SELECT p.*, d.dry_lcus, p.alias_refused_count AS lost
    FROM alias_pool_interval p
    JOIN dry d
        ON d.platform = p.platform AND d.system = p.system AND d.pool = p.pool AND d.interval_start = p.interval_start
),
used AS ({{ work_of_pools("dry") }}),
moved AS ({{ moves_of_pools("used", "dry") }}),
sized AS ({{ sizes_of_pools("used", "moved") }}),
dry_place AS (
    SELECT
        d.platform, d.system, d.pool, d.aliases,
        row_number() OVER (
            PARTITION BY d.platform, d.system, d.pool
            -- with as many aliases as now, wherever that was measured; else where most waited
            ORDER BY CASE WHEN d.aliases = z.aliases_now THEN 0 ELSE 1 END, coalesce(d.queue_length, 0) DESC,
                d.interval_start
        ) AS place
    FROM dry_then d
    LEFT JOIN sized z ON z.platform = d.platform AND z.system = d.system AND z.pool = d.pool
    LEFT JOIN moved v ON v.platform = d.platform AND v.system = d.system AND v.pool = d.pool
    WHERE d.is_size_known AND (v.pool IS NULL OR (d.interval_start > v.other_start) = v.is_here)
),
-- one size is judged: counts of two are no answer; and one box, which is that it is in now if it ran dry there. Where
-- the size is unknown, all intervals of that are
asked AS (
    SELECT p.*
    FROM alias_pool_interval p
    LEFT JOIN dry_place c ON c.platform = p.platform AND c.system = p.system AND c.pool = p.pool AND c.place = 1
    LEFT JOIN moved v ON v.platform = p.platform AND v.system = p.system AND v.pool = p.pool
    WHERE (c.pool IS NULL OR NOT p.is_size_known OR p.aliases = c.aliases)
        AND (v.pool IS NULL OR (p.interval_start > v.other_start) = v.is_here)
),
bad AS (
    SELECT d.*
    FROM dry_then d
    JOIN asked a
        ON a.platform = d.platform AND a.system = d.system AND a.pool = d.pool AND a.interval_start = d.interval_start
),
worst AS ({{ worst_run("bad", "platform, system, pool") }}),
elsewhere AS ({{ larger_pools() }}),
dry_lcu AS (
    SELECT
        l.platform, l.system, l.pool, l.interval_start, l.lcu, l.css_delay_ms, l.cu_busy_delay_ms, l.open_exchanges,
        l.path_taken_rate
    FROM lcu_alias_interval l
    JOIN bad b
        ON b.platform = l.platform AND b.system = l.system AND b.pool = l.pool AND b.interval_start = l.interval_start
),
queued AS (
    SELECT
        platform, system, pool,
        sum(path_taken_rate * css_delay_ms) / nullif(sum(path_taken_rate), 0) AS css_delay_ms,
        sum(path_taken_rate * cu_busy_delay_ms) / nullif(sum(path_taken_rate), 0) AS cu_busy_delay_ms,
        1000 * sum(open_exchanges) / nullif(sum(path_taken_rate), 0) AS exchange_ms,
        sum(open_exchanges) / count(DISTINCT interval_start) AS open_exchanges,
        sum(path_taken_rate) / count(DISTINCT interval_start) AS path_rate
    FROM dry_lcu
    GROUP BY platform, system, pool
),
way AS (
    SELECT
        d.platform, d.system, d.pool,
        sum(y.io_rate * y.above_ms) / nullif(sum(y.io_rate), 0) AS way_above_ms
    FROM dry_lcu d
    JOIN way_interval y
        ON y.platform = d.platform AND y.system = d.system AND y.lcu = d.lcu AND y.interval_start = d.interval_start
    GROUP BY d.platform, d.system, d.pool
),
each_path AS (
    SELECT
        d.platform, d.system, d.pool, p.channel_path,
        sum(p.taken_rate) AS taken_rate,
        sum(p.taken_rate * p.cmr_ms) / nullif(sum(p.taken_rate), 0) AS cmr_ms
    FROM dry_lcu d
    JOIN lcu_path_on_device_clock p
        ON p.platform = d.platform AND p.system = d.system AND p.lcu = d.lcu AND p.interval_start = d.interval_start
    WHERE p.taken_rate > 0
    GROUP BY d.platform, d.system, d.pool, p.channel_path
),
path AS (
    SELECT
        platform, system, pool,
        sum(taken_rate * cmr_ms) / sum(taken_rate) AS cmr_ms,
        min(cmr_ms) AS cmr_low_ms,
        max(cmr_ms) AS cmr_high_ms,
        array_join(sort_array(collect_list(channel_path)), ', ') AS channel_paths
    FROM each_path
    GROUP BY platform, system, pool
),
-- a listing that was cut off has some LCUs of a group, and the group's own row
cut_group AS (
    SELECT platform, system, alias_group, avg(io_rate) AS group_rate, avg(lcu_rate) AS told_rate
    FROM alias_group_interval
    WHERE lcu_rate > 0
    GROUP BY platform, system, alias_group
    HAVING sum(lcu_rate) < 0.95 * sum(io_rate)
),
most AS (
    SELECT platform, system, pool, max(dry_lcus) AS dry_lcus FROM bad GROUP BY platform, system, pool
),
most_asked AS (
    SELECT
        platform, system, pool,
        max(alias_denied_ratio_max) AS peak_ratio,
        max(alias_high_water) AS high_water,
        max(aliases) AS aliases,
        max(alias_high_water_per_base) AS per_base,
        max(queue_high_water) AS queue_high_water,
        max(queue_length) AS peak_queue,
        max(wait_ms) AS peak_wait_ms,
        max(waiting_devices) AS waiting
    FROM asked
    GROUP BY platform, system, pool
),
total AS (
    SELECT
        platform, system, pool,
        max(lcus) AS lcus,
        sum(alias_denied_count) AS denied,
        sum(alias_io_count) AS requests,
        bool_or(is_size_known) AS is_size_known,
        sum(alias_borrowed_count) AS borrowed,
        sum(queue_length * interval_s) AS lost_s,
        sum(alias_refused_count) AS refused,
        CAST(sum(alias_throttled_count) AS BIGINT) AS throttled
    FROM alias_pool_interval
    GROUP BY platform, system, pool
),
ranked AS (
    SELECT
        p.platform, p.system, p.pool, p.interval_start, p.local_start, p.local_end, p.queue_length, p.wait_ms,
        row_number() OVER (
            PARTITION BY p.platform, p.system, p.pool ORDER BY coalesce(p.queue_length, 0) DESC, p.interval_start
        ) AS place,
        row_number() OVER (
            PARTITION BY p.platform, p.system, p.pool, hour(p.local_start)
            ORDER BY coalesce(p.queue_length, 0) DESC, p.interval_start
        ) AS hour_place
    FROM asked p
    JOIN worst w ON w.platform = p.platform AND w.system = p.system AND w.pool = p.pool
),
pool_then AS (
    SELECT
        p.platform, p.system, p.pool, p.place, p.local_start, p.local_end, p.queue_length, p.wait_ms, l.lcu,
        l.interval_start,
        l.io_rate AS lcu_rate, l.css_delay_ms, l.cu_busy_delay_ms, y.cmr_ms AS lcu_cmr_ms, y.above_ms, y.service_ms AS lcu_service_ms
    FROM ranked p
    JOIN lcu_alias_interval l
        ON l.platform = p.platform AND l.system = p.system AND l.pool = p.pool AND l.interval_start = p.interval_start
    LEFT JOIN way_interval y
        ON y.platform = l.platform AND y.system = l.system AND y.lcu = l.lcu AND y.interval_start = l.interval_start
    WHERE p.place = 1 OR (p.hour_place = 1 AND p.queue_length >= $queue_length)
),
way_then AS (
    SELECT
        platform, system, pool, local_start,
        {{ mean_of("above_ms", "lcu_rate") }} AS hour_above_ms,
        {{ mean_of("css_delay_ms", "lcu_rate") }} AS hour_css_ms,
        {{ mean_of("cu_busy_delay_ms", "lcu_rate") }} AS hour_busy_ms,
        {{ mean_of("lcu_cmr_ms", "lcu_rate") }} AS hour_cmr_ms,
        {{ mean_of("lcu_service_ms", "lcu_rate") }} AS hour_service_ms
    FROM pool_then
    GROUP BY platform, system, pool, local_start
),
volume_then AS (
    SELECT
        p.*, v.volume, v.io_rate, v.wait_ms AS own_wait_ms, v.service_ms, v.read_ratio AS own_read_ratio, v.box,
        v.box_interval_start
    FROM box_volume_interval v
    JOIN pool_then p
        ON p.platform = v.platform AND p.system = v.system AND p.lcu = v.lcu AND p.interval_start = v.interval_start
),
headroom_then AS ({{ rows_at("volume_headroom", "volume_then") }}),
member AS (
    SELECT
        p.platform, p.system, p.pool, p.place, p.interval_start, p.local_start, p.local_end,
        p.queue_length AS hour_queue, p.wait_ms AS hour_wait_ms, p.volume, p.io_rate, p.own_wait_ms AS wait_ms,
        p.service_ms, p.own_read_ratio, u.held_ms, a.cmr_ms AS own_cmr_ms, a.start_delay_ms,
        a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms, a.back_end_best_ms, a.channel_used_ratio, i.in_service AS in_box, i.volumes,
        i.read_ratio, c.points, c.elasticity_ratio, c.fit_ratio, c.spread_ratio, c.in_service_max, c.in_service_min
    FROM volume_then p
    LEFT JOIN box_interval i ON i.box = p.box AND i.interval_start = p.box_interval_start
    LEFT JOIN headroom_then a
        ON a.platform = p.platform AND a.system = p.system AND a.volume = p.volume AND a.interval_start = p.interval_start
    LEFT JOIN box_curve c ON c.box = p.box
    LEFT JOIN unfit_interval u
        ON u.platform = p.platform AND u.system = p.system AND u.volume = p.volume AND u.interval_start = p.interval_start
),
tried_size AS ({{ trials_of_pools("used") }}),
trial AS (
    SELECT a.interval_start, a.first_volume, w.*
    FROM (SELECT DISTINCT platform, system, pool, interval_start FROM member) AS m
    JOIN used a
        ON a.platform = m.platform AND a.system = m.system AND a.pool = m.pool AND a.interval_start = m.interval_start
    JOIN tried_size w ON w.platform = m.platform AND w.system = m.system AND w.pool = m.pool
    LEFT JOIN moved v ON v.platform = m.platform AND v.system = m.system AND v.pool = m.pool
    -- another box serves in other times
    WHERE w.trial_rate >= $tried_rate * a.io_rate AND (v.pool IS NULL OR (w.trial_start > v.other_start) = v.is_here)
)
SELECT
    t.platform, t.system, t.pool, n.lcu_names, n.alias_group, n.lends, o.peak_ratio, d.dry_lcus, t.lcus, t.denied,
    t.requests, t.refused, o.high_water, o.aliases, z.aliases_now, z.since_start, z.since_queue, z.since_rate, z.since_response_ms,
    z.larger_aliases, z.larger_until, v.box_now, v.moved_start, v.moved_queue, v.moved_rate, v.moved_response_ms, o.per_base, t.is_size_known, t.borrowed, o.queue_high_water,
    o.peak_queue, o.peak_wait_ms, o.waiting, t.lost_s, t.throttled,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end, w.bad_days,
    q.css_delay_ms, q.cu_busy_delay_ms, q.exchange_ms, q.open_exchanges, q.path_rate, h.cmr_ms, h.cmr_low_ms,
    h.cmr_high_ms, h.channel_paths, f.way_above_ms,
    m.interval_start, CAST(m.place AS BIGINT) AS place, m.local_start, m.local_end, m.hour_queue, m.hour_wait_ms, y.hour_above_ms, y.hour_css_ms, y.hour_busy_ms, y.hour_cmr_ms, y.hour_service_ms,
    m.volume, m.io_rate, m.wait_ms, m.service_ms,
    m.own_read_ratio, m.held_ms, m.own_cmr_ms, m.start_delay_ms, m.disc_ms, m.miss_ms, m.copy_ms, m.back_end_ms, m.back_end_best_ms,
    m.channel_used_ratio,
    m.in_box, m.volumes, m.read_ratio, m.points, m.elasticity_ratio, m.fit_ratio, m.spread_ratio, m.in_service_max,
    m.in_service_min, e.other_system, e.other_aliases, e.other_high_water,
    256 - b.bases - b.static_aliases - b.hyperpav_aliases AS free_addresses, g.group_rate, g.told_rate,
    r.trial_start, r.trial_s, r.trial_aliases, r.trial_rate, r.trial_in_service, r.trial_queue, r.trial_read_ratio
FROM total t
JOIN most_asked o ON o.platform = t.platform AND o.system = t.system AND o.pool = t.pool
JOIN alias_pool n ON n.platform = t.platform AND n.system = t.system AND n.pool = t.pool
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.pool = t.pool
JOIN most d ON d.platform = t.platform AND d.system = t.system AND d.pool = t.pool
LEFT JOIN elsewhere e ON e.platform = t.platform AND e.system = t.system AND e.pool = t.pool
LEFT JOIN lcu_address b ON b.platform = t.platform AND b.lcu = n.lcu_names
LEFT JOIN cut_group g ON g.platform = t.platform AND g.system = t.system AND g.alias_group = n.alias_group
LEFT JOIN queued q ON q.platform = t.platform AND q.system = t.system AND q.pool = t.pool
LEFT JOIN path h ON h.platform = t.platform AND h.system = t.system AND h.pool = t.pool
LEFT JOIN way f ON f.platform = t.platform AND f.system = t.system AND f.pool = t.pool
LEFT JOIN member m ON m.platform = t.platform AND m.system = t.system AND m.pool = t.pool
LEFT JOIN trial r
    ON r.platform = m.platform AND r.system = m.system AND r.pool = m.pool AND r.interval_start = m.interval_start
    AND r.first_volume = m.volume
LEFT JOIN sized z ON z.platform = t.platform AND z.system = t.system AND z.pool = t.pool
LEFT JOIN moved v ON v.platform = t.platform AND v.system = t.system AND v.pool = t.pool AND NOT v.is_here
LEFT JOIN way_then y
    ON y.platform = m.platform AND y.system = m.system AND y.pool = m.pool AND y.local_start = m.local_start
ORDER BY t.refused DESC, t.platform, t.system, t.pool, m.local_start, m.volume, r.trial_start

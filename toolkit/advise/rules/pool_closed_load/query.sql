-- question: pool_closed_load
-- title: Alias pools filled by closed workload: all volumes of the box in the worst such interval of each hour of the day
-- grain: one row per pool, interval, platform, system, volume
-- parameter $denied_ratio DOUBLE [ratio]: I/Os without a free alias in an interval
-- parameter $queue_length DOUBLE [I/Os]: Queued for the pool
-- parameter $busy DOUBLE [ratio]: Of the aliases in use, at least
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
-- parameter $tried_more DOUBLE [times]: The smaller of two counts that were tried
-- parameter $tried_alike DOUBLE [ratio]: I/Os outstanding with the two counts, apart by at most
-- column pool_system VARCHAR []: System whose pool it is
-- column tried_aliases BIGINT []: Another count that the same pool had with as many I/Os outstanding at the same hour of the day; NULL where there is none
-- column tried_more_ratio DOUBLE [ratio]: I/O rate with the larger of the two counts over that with the smaller
-- column rate_else DOUBLE [per second]: Highest I/O rate then
-- column dry_s DOUBLE [s]: The same in all intervals in which I/Os were refused
-- column denied_ratio DOUBLE [per I/O]: Refusals per I/O, worst interval and LCU
-- column free_addresses BIGINT []: Of the 256 of an LCU, at most; NULL for a group, which may take aliases of any of its LCUs
-- note: A volume whose base is always busy uses one alias less than it has I/Os in progress, any other uses more: the sum is the least that can have been in use.
WITH dry AS (
    SELECT platform, system, pool, interval_start
    FROM alias_pool_interval
    WHERE alias_denied_ratio_max >= $denied_ratio AND queue_length >= $queue_length
),
used AS ({{ work_of_pools("dry") }}),
moved AS ({{ moves_of_pools("used", "dry") }}),
sized AS ({{ sizes_of_pools("used", "moved") }}),
full_pool AS (
    SELECT
        p.platform, p.system, p.pool, p.interval_start, p.interval_s, p.local_start, p.local_end, p.aliases, p.queue_length,
        u.io_rate, u.first_volume,
        u.in_service + p.queue_length AS outstanding,
        u.in_use / p.aliases AS busy_ratio,
        p.queue_length * p.interval_s AS lost
    FROM alias_pool_interval p
    JOIN used u
        ON u.platform = p.platform AND u.system = p.system AND u.pool = p.pool AND u.interval_start = p.interval_start
    WHERE p.alias_denied_ratio_max >= $denied_ratio AND p.aliases > 0 AND p.queue_length >= $queue_length
        AND u.in_use >= $busy * p.aliases
),
closed_pool AS (
    SELECT *
    FROM full_pool
    WHERE busy_ratio >= 1
        OR queue_length * (1 - busy_ratio) < $evenness * pow(busy_ratio, sqrt(2 * (aliases + 1)))
),
closed_here AS (
    -- in the box it is in now, if it ran dry there: what it did in another one says nothing of this
    SELECT c.*
    FROM closed_pool c
    LEFT JOIN moved v ON v.platform = c.platform AND v.system = c.system AND v.pool = c.pool
    WHERE v.pool IS NULL OR (c.interval_start > v.other_start) = v.is_here
),
closed_now AS (
    SELECT
        c.*, n.aliases_now,
        coalesce(c.aliases = n.aliases_now, TRUE) AS is_as_now,
        bool_or(c.aliases = n.aliases_now) OVER (PARTITION BY c.platform, c.system, c.pool) AS was_as_now
    FROM closed_here c
    LEFT JOIN sized n ON n.platform = c.platform AND n.system = c.system AND n.pool = c.pool
),
bad AS (
    -- what the pool does with the aliases it has now, wherever that was measured
    SELECT * FROM closed_now WHERE is_as_now OR NOT was_as_now
),
pair AS (
    SELECT
        b.platform, b.system, b.pool, b.aliases, hour(b.local_start) AS at_hour, o.aliases AS tried_aliases,
        CASE WHEN o.aliases < b.aliases THEN avg(b.io_rate) / avg(o.io_rate) ELSE avg(o.io_rate) / avg(b.io_rate) END
            AS tried_more_ratio
    FROM bad b
    JOIN closed_here o
        ON o.platform = b.platform AND o.system = b.system AND o.pool = b.pool
        AND hour(o.local_start) = hour(b.local_start)
        AND greatest(o.aliases, b.aliases) >= $tried_more * least(o.aliases, b.aliases)
        AND abs(o.outstanding - b.outstanding) <= $tried_alike * b.outstanding
    GROUP BY b.platform, b.system, b.pool, b.aliases, hour(b.local_start), o.aliases
),
tried AS (
    -- of several counts the nearest, which says most about the next alias
    SELECT
        platform, system, pool, aliases, at_hour,
        min_by(tried_aliases, abs(ln(tried_aliases / aliases))) AS tried_aliases,
        min_by(tried_more_ratio, abs(ln(tried_aliases / aliases))) AS tried_more_ratio
    FROM pair
    GROUP BY platform, system, pool, aliases, at_hour
),
worst AS ({{ worst_run("bad", "platform, system, pool") }}),
elsewhere AS ({{ larger_pools() }}),
ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY platform, system, pool, hour(local_start) ORDER BY lost DESC, local_start
        ) AS place
    FROM bad
),
tried_size AS ({{ trials_of_pools("used") }}),
trial AS (
    SELECT r.interval_start, r.first_volume, w.*
    FROM ranked r
    JOIN tried_size w ON w.platform = r.platform AND w.system = r.system AND w.pool = r.pool
    LEFT JOIN moved v ON v.platform = r.platform AND v.system = r.system AND v.pool = r.pool
    WHERE r.place = 1 AND (v.pool IS NULL OR (w.trial_start > v.other_start) = v.is_here)
        AND abs(w.trial_in_service + w.trial_queue - r.outstanding) <= $tried_alike * r.outstanding
),
-- the boxes of a group's LCUs, where no record shows that they are one
pool_box AS (
    SELECT DISTINCT
        r.platform AS pool_platform, r.system AS pool_system, r.pool, r.interval_start, r.interval_s, s.box,
        s.box_interval_start
    FROM ranked r
    JOIN lcu_alias_interval l
        ON l.platform = r.platform AND l.system = r.system AND l.pool = r.pool AND l.interval_start = r.interval_start
    JOIN box_volume_interval s
        ON s.platform = l.platform AND s.system = l.system AND s.lcu = l.lcu AND s.interval_start = l.interval_start
    WHERE r.place = 1
),
looked_at AS (
    SELECT DISTINCT box, box_interval_start, interval_start, interval_s FROM pool_box
),
volume_then AS ({{ volumes_at("looked_at") }}),
headroom_then AS ({{ rows_at("volume_headroom", "volume_then") }}),
beside AS (
    -- an interval next to a closed one holds the rest of the same work
    SELECT p.*, u.io_rate, b.lost AS closed,
        lag(b.pool) OVER (PARTITION BY p.platform, p.system, p.pool ORDER BY p.interval_start) IS NOT NULL
            OR lead(b.pool) OVER (PARTITION BY p.platform, p.system, p.pool ORDER BY p.interval_start) IS NOT NULL
            AS is_beside
    FROM alias_pool_interval p
    LEFT JOIN used u
        ON u.platform = p.platform AND u.system = p.system AND u.pool = p.pool AND u.interval_start = p.interval_start
    LEFT JOIN closed_pool b
        ON b.platform = p.platform AND b.system = p.system AND b.pool = p.pool AND b.interval_start = p.interval_start
),
waited AS (
    SELECT
        platform, system, pool,
        max(CASE WHEN closed IS NULL AND NOT is_beside AND alias_denied_ratio_max > 0 THEN queue_length END)
            AS queue_else,
        max(CASE WHEN closed IS NULL AND NOT is_beside AND alias_denied_ratio_max > 0 THEN io_rate END) AS rate_else,
        sum(closed) AS closed_s,
        sum(CASE WHEN alias_denied_ratio_max > 0 THEN queue_length * interval_s END) AS dry_s,
        max(alias_denied_ratio_max) AS denied_ratio,
        max(alias_high_water_per_base) AS per_base
    FROM beside
    GROUP BY platform, system, pool
)
SELECT
    r.system AS pool_system, r.pool, r.aliases, r.aliases_now, z.since_start, z.since_queue, z.since_rate, z.since_response_ms,
    z.larger_aliases, z.larger_until, v.box_now, v.moved_start, v.moved_queue, v.moved_rate, v.moved_response_ms,
    k.tried_aliases, k.tried_more_ratio, r.busy_ratio, r.lost AS interval_lost_s,
    l.lcu IS NOT NULL AS is_closed,
    s.box, s.interval_start, s.serial, s.control_unit_type, s.platform, s.system, s.volume, s.lcu, r.local_start,
    r.local_end, s.io_rate, s.wait_ms, s.service_ms, u.held_ms, s.in_service, s.queue_length, s.exposures, s.is_hyperpav,
    s.read_ratio, n.lcu_names, n.alias_group, t.queue_else, t.rate_else, t.closed_s, t.dry_s, t.denied_ratio, t.per_base,
    256 - d.bases - d.static_aliases - d.hyperpav_aliases AS free_addresses,
    a.cmr_ms, y.above_ms AS way_above_ms, a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms, a.back_end_best_ms, a.channel_used_ratio,
    v.points, v.elasticity_ratio, v.fit_ratio, v.spread_ratio, v.in_service_max, v.in_service_min,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end, w.bad_days,
    e.other_system, e.other_aliases, e.other_high_water,
    f.trial_start, f.trial_s, f.trial_aliases, f.trial_rate, f.trial_in_service, f.trial_queue, f.trial_read_ratio
FROM ranked r
JOIN pool_box b
    ON b.pool_platform = r.platform AND b.pool_system = r.system AND b.pool = r.pool
    AND b.interval_start = r.interval_start
JOIN volume_then s ON s.box = b.box AND s.interval_start = b.interval_start AND s.interval_s = b.interval_s
JOIN alias_pool n ON n.platform = r.platform AND n.system = r.system AND n.pool = r.pool
JOIN waited t ON t.platform = r.platform AND t.system = r.system AND t.pool = r.pool
JOIN worst w ON w.platform = r.platform AND w.system = r.system AND w.pool = r.pool
LEFT JOIN sized z ON z.platform = r.platform AND z.system = r.system AND z.pool = r.pool
LEFT JOIN moved v ON v.platform = r.platform AND v.system = r.system AND v.pool = r.pool AND NOT v.is_here
LEFT JOIN elsewhere e ON e.platform = r.platform AND e.system = r.system AND e.pool = r.pool
LEFT JOIN tried k
    ON k.platform = r.platform AND k.system = r.system AND k.pool = r.pool AND k.aliases = r.aliases
    AND k.at_hour = hour(r.local_start)
LEFT JOIN lcu_alias_interval l
    ON l.platform = r.platform AND l.system = r.system AND l.pool = r.pool AND l.interval_start = r.interval_start
    AND l.platform = s.platform AND l.system = s.system AND l.lcu = s.lcu
LEFT JOIN trial f
    ON f.platform = r.platform AND f.system = r.system AND f.pool = r.pool AND f.interval_start = r.interval_start
    AND f.first_volume = s.volume AND f.platform = s.platform AND f.system = s.system
LEFT JOIN lcu_address d ON d.platform = r.platform AND d.lcu = n.lcu_names
LEFT JOIN headroom_then a
    ON a.platform = s.platform AND a.system = s.system AND a.volume = s.volume AND a.interval_start = s.interval_start
LEFT JOIN box_curve v ON v.box = s.box
LEFT JOIN way_interval y
    ON y.platform = s.platform AND y.system = s.system AND y.lcu = s.lcu AND y.interval_start = s.interval_start
LEFT JOIN unfit_interval u
    ON u.platform = s.platform AND u.system = s.system AND u.volume = s.volume AND u.interval_start = s.interval_start
WHERE r.place = 1
ORDER BY r.platform, r.system, r.pool, r.interval_start, s.system, s.volume, f.trial_start

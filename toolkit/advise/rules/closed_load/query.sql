-- question: closed_load
-- title: Boxes with volumes of closed work, and alias pools that closed work fills, in the worst such interval of each hour of the day
-- grain: one row per platform, system, pool, interval; one per box, interval for volumes with aliases of their own
-- column interval_lost_s DOUBLE [s]: Time in the host's queue in this interval, summed over the I/Os of closed work
-- column aliases BIGINT []: Aliases of the pool in this interval, as the two that follow
-- column busy_ratio DOUBLE [ratio]: Of them in use, at least
-- column tried_aliases BIGINT []: Another count that the same pool had with as many I/Os outstanding at the same hour of the day; NULL where there is none
-- column tried_more_ratio DOUBLE [ratio]: I/O rate with the larger of the two counts over that with the smaller
-- note: The worst interval stands for the hour.
-- note: A volume whose base is always busy uses one alias less than it has I/Os in progress; any other volume uses more. The sum is therefore the minimum in use.
WITH {{ closed_volumes() }},
{{ closed_pools() }},
worst_box AS ({{ worst_run("bad_box", "box") }}),
worst_pool AS ({{ worst_run("bad_pool", "platform, system, pool") }}),
pair AS (
    SELECT
        b.platform, b.system, b.pool, b.aliases, hour(b.local_start) AS at_hour, o.aliases AS tried_aliases,
        CASE WHEN o.aliases < b.aliases THEN avg(b.io_rate) / avg(o.io_rate) ELSE avg(o.io_rate) / avg(b.io_rate) END
            AS tried_more_ratio
    FROM bad_pool b
    JOIN closed_here o ON {{ equal("platform, system, pool", "o", "b") }}
        AND hour(o.local_start) = hour(b.local_start)
        AND greatest(o.aliases, b.aliases) >= $tried_more * least(o.aliases, b.aliases)
        AND abs(o.outstanding - b.outstanding) <= $same_outstanding * b.outstanding
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
)
SELECT
    r.platform, r.system, r.pool, NULL AS box, r.interval_start, r.local_start, r.local_end,
    r.lost AS interval_lost_s, r.aliases, r.busy_ratio, k.tried_aliases, k.tried_more_ratio,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days
FROM pool_hour r
JOIN worst_pool w ON w.platform = r.platform AND w.system = r.system AND w.pool = r.pool
LEFT JOIN tried k ON {{ equal("platform, system, pool, aliases", "k", "r") }}
    AND k.at_hour = hour(r.local_start)
UNION ALL
SELECT
    NULL AS platform, NULL AS system, NULL AS pool, r.box, r.interval_start, r.local_start, r.local_end,
    r.lost AS interval_lost_s, NULL AS aliases, NULL AS busy_ratio, NULL AS tried_aliases, NULL AS tried_more_ratio,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days
FROM box_hour r
JOIN worst_box w ON w.box = r.box
ORDER BY 1, 2, 3, 4, 5

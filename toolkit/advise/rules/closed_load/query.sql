-- title: Volumes without HyperPAV whose exposures, and alias pools whose aliases, are all busy with a fixed number of requesters (batch jobs, copies, benchmarks, guests with few tasks), in the worst such interval of each hour of the day
-- grain: one row per platform, system, pool, interval; one per box, interval for volumes with aliases of their own
-- column interval_lost_s DOUBLE [s]: Time in the host's queue in this interval, summed over the I/Os of closed work
-- column aliases BIGINT []: Aliases of the pool in this interval
-- column busy_ratio DOUBLE [ratio]: Of them in use, at least
-- note: The worst interval stands for the hour.
-- note: A volume whose base is always busy uses one alias less than it has I/Os in progress; any other volume uses more. The sum is therefore the minimum in use.
WITH {{ closed_volumes() }},
{{ closed_pools() }},
worst_box AS ({{ worst_run("bad_box", "box") }}),
worst_pool AS ({{ worst_run("bad_pool", "platform, system, pool") }})
SELECT
    r.platform, r.system, r.pool, NULL AS box, r.interval_start, r.local_start, r.local_end,
    r.lost AS interval_lost_s, r.aliases, r.busy_ratio,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days, w.every_h
FROM pool_hour r
JOIN worst_pool w ON {{ equal("platform, system, pool", "w", "r") }}
UNION ALL
SELECT
    NULL AS platform, NULL AS system, NULL AS pool, r.box, r.interval_start, r.local_start, r.local_end,
    r.lost AS interval_lost_s, NULL AS aliases, NULL AS busy_ratio,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days, w.every_h
FROM box_hour r
JOIN worst_box w ON w.box = r.box
ORDER BY 1, 2, 3, 4, 5

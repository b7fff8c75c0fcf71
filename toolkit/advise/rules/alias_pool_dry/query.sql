-- title: Pools without a free alias for some I/Os, in the worst interval of all and of each hour of the day with a queue
-- grain: one row per platform, system, pool, interval
-- column refused DOUBLE [I/Os]: I/Os without a free alias, worked out where no count is printed, whole span
-- column lost_s DOUBLE [s]: Time in the queue, summed over the I/Os of the whole span
-- column dry_lcus BIGINT []: Most LCUs that were dry at once
-- column place BIGINT []: 1 for the worst interval of all
-- column queued_most BIGINT [I/Os]: Most I/Os queued at once in the interval, at most; NULL if no record has it
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- column first_start TIMESTAMP [local time]: Start of the first of them
-- column last_end TIMESTAMP [local time]: End of the last of them
-- column bad_days BIGINT [days]: Days with a bad interval
-- column every_h DOUBLE [h]: From run to run, where most come at that distance: 5 min to 12 h, 24 h, or 168 h if all do; else NULL
-- column lost DOUBLE []: What all bad intervals lost: time, or what the title counts, here refused I/Os
-- column worst_lost DOUBLE []: What the run of bad intervals that lost most lost of it
-- note: Other evidence about the pools comes from separate queries of the rule.
WITH {{ dry_pools() }},
total AS (
    SELECT
        t.platform, t.system, t.pool,
        sum(t.alias_refused_count) AS refused,
        sum(t.queue_length * t.interval_s) AS lost_s
    FROM dry_pool d
    JOIN alias_pool_interval t ON t.platform = d.platform AND t.system = d.system AND t.pool = d.pool
    GROUP BY t.platform, t.system, t.pool
),
{% call incident("bad", "platform, system, pool", is_select=true) %}
    SELECT
        t.*, m.dry_lcus, s.interval_start, CAST(s.place AS BIGINT) AS place, s.local_start, s.local_end, s.queue_length, s.wait_ms,
        s.lcus * s.queue_high_water AS queued_most
    FROM shown s
    JOIN total t USING (platform, system, pool)
    JOIN (SELECT platform, system, pool, max(dry_lcus) AS dry_lcus FROM bad GROUP BY platform, system, pool) m
        USING (platform, system, pool)
{% endcall %}
ORDER BY a.refused DESC, a.platform, a.system, a.pool, a.local_start

-- title: Exhausted pools that had several sizes, in intervals with a comparable or higher I/O rate
-- grain: one row per platform, system, pool, interval, trial
-- column interval_start TIMESTAMP [UTC]: The worst interval that it is compared with
-- column trial_start TIMESTAMP [UTC]: Interval of the trial, in the box that is judged
-- column trial_s DOUBLE [s]: Its length
-- column trial_aliases BIGINT []: Aliases of the pool
-- column trial_rate DOUBLE [per second]: I/O rate of its volumes
-- column trial_in_service DOUBLE []: Mean number of their I/Os in progress
-- column trial_queue DOUBLE []: Mean number waiting in the host
-- column trial_read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes
WITH {{ dry_pools() }},
varied AS ({{ pools_with_sizes() }})
SELECT
    s.platform, s.system, s.pool, s.interval_start, t.interval_start AS trial_start, t.interval_s AS trial_s,
    t.aliases AS trial_aliases, t.io_rate AS trial_rate, t.in_service AS trial_in_service,
    t.queue_length AS trial_queue, t.read_ratio AS trial_read_ratio
FROM shown s
JOIN varied m ON m.platform = s.platform AND m.system = s.system AND m.pool = s.pool
JOIN dry_pool d ON d.platform = s.platform AND d.system = s.system AND d.pool = s.pool
JOIN alias_pool_load a ON {{ equal("platform, system, pool, interval_start", "a", "s") }}
JOIN alias_pool_load t ON t.platform = s.platform AND t.system = s.system AND t.pool = s.pool AND t.aliases > 0
WHERE t.io_rate >= (1 - $same_load) * a.io_rate AND coalesce((t.interval_start > d.other_start) = d.is_here, TRUE)
ORDER BY s.platform, s.system, s.pool, s.interval_start, t.interval_start

-- title: Changes of alias pools and the load since: alias_pool_now with local times
-- grain: one row per platform, system, pool
-- column since_start TIMESTAMP [local time]: From when on it has that many aliases, and what its volumes did with them
-- column since_queue DOUBLE [I/Os]: Longest queue
-- column since_rate DOUBLE [per second]: Highest rate
-- column since_response_ms DOUBLE [milliseconds]: Mean response at that rate
-- column larger_until TIMESTAMP [local time]: End of the last interval with more aliases than now
-- column moved_start TIMESTAMP [local time]: Start of the time with all its LCUs in one box
-- column moved_queue DOUBLE [I/Os]: Longest queue
-- column moved_rate DOUBLE [per second]: Highest rate
-- column moved_response_ms DOUBLE [milliseconds]: Mean response at that rate
SELECT
    n.platform, n.system, n.pool, n.aliases_now, s.local_start AS since_start, n.size_queue AS since_queue,
    n.size_rate AS since_rate, n.size_response_ms AS since_response_ms, n.larger_aliases, l.local_end AS larger_until,
    n.box_now, n.other_start, b.local_start AS moved_start, n.box_queue AS moved_queue, n.box_rate AS moved_rate,
    n.box_response_ms AS moved_response_ms
FROM alias_pool_now n
LEFT JOIN alias_pool_interval s ON {{ equal("platform, system, pool", "s", "n") }} AND s.interval_start = n.size_start
LEFT JOIN alias_pool_interval l ON {{ equal("platform, system, pool", "l", "n") }} AND l.interval_start = n.larger_start
LEFT JOIN alias_pool_interval b ON {{ equal("platform, system, pool", "b", "n") }} AND b.interval_start = n.box_start
ORDER BY n.platform, n.system, n.pool

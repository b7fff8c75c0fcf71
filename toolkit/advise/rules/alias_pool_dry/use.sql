-- title: Alias use of exhausted pools
-- grain: one row per platform, system, pool
-- column lcus BIGINT []: LCUs of the pool
-- column denied DOUBLE [I/Os]: I/Os that found no free alias, as counted, whole span as the three that follow
-- column requests DOUBLE [I/Os]: HyperPAV I/O requests
-- column borrowed DOUBLE [times]: Aliases borrowed from other LCUs of the group
-- column throttled BIGINT [I/Os]: I/Os delayed by alias throttling
-- column is_size_known BOOLEAN []: A source has the number of aliases configured
-- column aliases BIGINT []: Aliases of the intervals that are judged, as what follows
-- column peak_ratio DOUBLE [per I/O]: Refusals per I/O, worst interval and LCU
-- column high_water BIGINT []: Most aliases in use at once
-- column per_base BIGINT []: Most aliases in use by one base
-- column queue_high_water BIGINT []: Most I/Os queued at once
-- column peak_queue DOUBLE [I/Os]: Mean queue of the worst interval
-- column peak_wait_ms DOUBLE [milliseconds]: Longest mean IOSQ of an LCU
-- column waiting BIGINT []: Most devices that waited in an interval
-- column most_borrowed BIGINT []: Most aliases in use in an interval with more than are its own
-- column borrowed_until TIMESTAMP []: Local end of the last such interval
WITH {{ dry_pools() }},
most_asked AS (
    SELECT
        platform, system, pool,
        max(alias_denied_ratio_max) AS peak_ratio,
        max(alias_high_water) AS high_water,
        {{ each("max(NAME)", "aliases queue_high_water") }},
        max(alias_high_water_per_base) AS per_base,
        max(queue_length) AS peak_queue,
        max(wait_ms) AS peak_wait_ms,
        max(waiting_devices) AS waiting
    FROM asked
    GROUP BY platform, system, pool
)
SELECT
    t.platform, t.system, t.pool,
    max(t.lcus) AS lcus,
    sum(t.alias_denied_count) AS denied,
    sum(t.alias_io_count) AS requests,
    sum(t.alias_borrowed_count) AS borrowed,
    CAST(sum(t.alias_throttled_count) AS BIGINT) AS throttled,
    bool_or(t.is_size_known) AS is_size_known,
    o.aliases, o.peak_ratio, o.high_water, o.per_base, o.queue_high_water, o.peak_queue, o.peak_wait_ms, o.waiting,
    max(CASE WHEN t.alias_high_water > t.aliases THEN t.alias_high_water END) AS most_borrowed,
    max(CASE WHEN t.alias_high_water > t.aliases THEN t.local_end END) AS borrowed_until
FROM most_asked o
JOIN alias_pool_interval t ON t.platform = o.platform AND t.system = o.system AND t.pool = o.pool
GROUP BY
    t.platform, t.system, t.pool, o.aliases, o.peak_ratio, o.high_water, o.per_base, o.queue_high_water, o.peak_queue,
    o.peak_wait_ms, o.waiting
ORDER BY t.platform, t.system, t.pool

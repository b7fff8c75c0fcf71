-- title: Volumes that queue in the host while aliases of their own do no I/O
-- grain: one row per platform, system, volume
-- columns: platform, system, volume
-- column unused_aliases BIGINT []: Most of its aliases that did no I/O at all in an interval with a queue
-- column queue_share_ratio DOUBLE [ratio 0..1]: Share of these intervals in the time its I/Os queued while it had aliases of its own
-- note: An alias that is free while I/Os queue is not an exposure, and further aliases would stay free for the same cause. Volumes whose aliases are in use for most of the time that they queue are left out.
WITH queued AS (
    SELECT
        platform, system, volume, idle_aliases, queue_length * interval_s AS queue_s,
        idle_aliases > 0 AND queue_length >= {{ queue_limit() }} AS is_unused
    FROM volume_interval
    WHERE idle_aliases IS NOT NULL AND queue_length > 0
)
SELECT
    platform, system, volume,
    max(CASE WHEN is_unused THEN idle_aliases END) AS unused_aliases,
    sum(CASE WHEN is_unused THEN queue_s ELSE 0 END) / sum(queue_s) AS queue_share_ratio
FROM queued
GROUP BY platform, system, volume
-- most of the time: half
HAVING sum(CASE WHEN is_unused THEN queue_s END) >= 0.5 * sum(queue_s)

-- title: Volumes that queue in the host while aliases of their own do no I/O
-- grain: one row per platform, system, volume
-- columns: platform, system, volume
-- column unused_aliases BIGINT []: Most of its aliases that did no I/O at all in an interval with a queue
-- column queue_share_ratio DOUBLE [ratio 0..1]: Share of these intervals in the time its I/Os queued while it had aliases of its own
-- note: An alias that is free while I/Os queue is not an exposure, and further aliases would stay free for the same cause. Volumes whose aliases are in use for most of the time that they queue are left out.
WITH limits AS (
    -- most of the time: half
    SELECT 0.5 AS most
),
queued AS (
    SELECT
        v.platform, v.system, v.volume, v.idle_aliases, v.queue_length * v.interval_s AS queue_s,
        v.idle_aliases > 0 AND v.queue_length >= {{ queue_limit() }} AS is_unused
    FROM volume_interval v
    WHERE v.idle_aliases IS NOT NULL AND v.queue_length > 0
)
SELECT
    q.platform,
    q.system,
    q.volume,
    max(CASE WHEN q.is_unused THEN q.idle_aliases END) AS unused_aliases,
    sum(CASE WHEN q.is_unused THEN q.queue_s ELSE 0 END) / sum(q.queue_s) AS queue_share_ratio
FROM queued q
CROSS JOIN limits l
GROUP BY q.platform, q.system, q.volume
HAVING sum(CASE WHEN q.is_unused THEN q.queue_s END) >= max(l.most) * sum(q.queue_s)

-- title: Current size and box of alias pools, with the load of their volumes
-- grain: one row per platform, system, pool
-- columns: platform, system, pool
-- column aliases_now BIGINT []: Aliases in the last interval in which every LCU was measured; NULL if the number configured is unknown
-- column size_start TIMESTAMP [UTC]: First interval from which on it was never another
-- column size_queue DOUBLE []: Longest queue with as many, whenever that was in the box it is in now
-- column size_rate DOUBLE [per second]: Highest rate with as many in that box
-- column size_response_ms DOUBLE [milliseconds]: Mean response at that rate
-- column larger_aliases BIGINT []: Highest number above that; NULL if never higher
-- column larger_start TIMESTAMP [UTC]: Last interval with more than now
-- column box_now VARCHAR []: Box that all its LCUs are in now, where one was in another before; NULL where none was
-- column other_start TIMESTAMP [UTC]: Last interval in which one was elsewhere
-- column box_start TIMESTAMP [UTC]: First interval after that
-- column box_queue DOUBLE []: Longest queue since
-- column box_rate DOUBLE [per second]: Highest rate since
-- column box_response_ms DOUBLE [milliseconds]: Mean response at that rate
-- note: A box that no record names does not count as a different box. Volume load is known only for pools in alias_pool_load.
WITH located AS (
    SELECT platform, system, pool, lcu, interval_start, box FROM _pool_member WHERE box IS NOT NULL
),
one_box AS (
    SELECT platform, system, pool, min(box) AS box_now
    FROM (
        SELECT platform, system, pool, lcu, max_by(box, interval_start) AS box
        FROM located
        GROUP BY platform, system, pool, lcu
    ) AS last_box
    GROUP BY platform, system, pool
    HAVING min(box) = max(box)
),
left_box AS (
    SELECT h.platform, h.system, h.pool, n.box_now, max(CASE WHEN h.box <> n.box_now THEN h.interval_start END) AS other_start
    FROM located h
    JOIN one_box n ON n.platform = h.platform AND n.system = h.system AND n.pool = h.pool
    GROUP BY h.platform, h.system, h.pool, n.box_now
),
load AS (
    SELECT * FROM alias_pool_load
),
moved AS (
    SELECT
        o.platform, o.system, o.pool, o.box_now, o.other_start,
        min(u.interval_start) AS box_start,
        max(u.queue_length) AS box_queue,
        max(u.io_rate) AS box_rate,
        max_by(1e3 * (u.in_service + u.queue_length) / nullif(u.io_rate, 0), peak_order(u.io_rate, u.interval_start))
            AS box_response_ms
    FROM left_box o
    JOIN load u ON {{ equal("platform, system, pool", "u", "o") }} AND u.interval_start > o.other_start
    GROUP BY o.platform, o.system, o.pool, o.box_now, o.other_start
),
whole AS (
    SELECT *, lcus = max(lcus) OVER (PARTITION BY platform, system, pool) AS is_whole
    FROM alias_pool_interval
    WHERE is_size_known
),
latest AS (
    SELECT platform, system, pool, max_by(aliases, interval_start) AS aliases_now
    FROM whole
    WHERE is_whole
    GROUP BY platform, system, pool
),
compared AS (
    SELECT
        w.platform, w.system, w.pool, w.interval_start, w.aliases, w.queue_length, n.aliases_now,
        max(CASE WHEN w.aliases <> n.aliases_now THEN w.interval_start END)
            OVER (PARTITION BY w.platform, w.system, w.pool) AS other_size_start,
        w.aliases = n.aliases_now AND coalesce(w.interval_start > m.other_start, TRUE) AS is_now
    FROM whole w
    JOIN latest n ON n.platform = w.platform AND n.system = w.system AND n.pool = w.pool
    LEFT JOIN moved m ON m.platform = w.platform AND m.system = w.system AND m.pool = w.pool
    WHERE w.is_whole
),
sized AS (
    SELECT
        c.platform, c.system, c.pool, c.aliases_now,
        min(CASE WHEN coalesce(c.interval_start > c.other_size_start, TRUE) THEN c.interval_start END) AS size_start,
        max(CASE WHEN c.is_now THEN c.queue_length END) AS size_queue,
        max(CASE WHEN c.is_now THEN u.io_rate END) AS size_rate,
        max_by(
            1e3 * (u.in_service + u.queue_length) / nullif(u.io_rate, 0),
            CASE WHEN c.is_now THEN peak_order(u.io_rate, c.interval_start) END
        ) AS size_response_ms,
        max(CASE WHEN c.aliases > c.aliases_now THEN c.aliases END) AS larger_aliases,
        max(CASE WHEN c.aliases > c.aliases_now THEN c.interval_start END) AS larger_start
    FROM compared c
    LEFT JOIN load u ON {{ equal("platform, system, pool, interval_start", "u", "c") }}
    GROUP BY c.platform, c.system, c.pool, c.aliases_now
)
SELECT *
FROM alias_pool
LEFT JOIN sized USING (platform, system, pool)
LEFT JOIN moved USING (platform, system, pool)

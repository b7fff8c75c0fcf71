-- reach: a day
-- title: Mean time of a read from the disks of extent pools in the intervals of systems that measured volumes
-- grain: one row per platform, system, interval_start, box, extent_pool
-- columns: platform, system, interval_start
-- column box VARCHAR []: Box of the pool
-- columns: extent_pool
-- column back_end_ms DOUBLE [milliseconds]: Mean time of a read from the disks of the extent pool
-- note: See volume_headroom, which is made of it.
WITH back_end AS (
    SELECT
        box, extent_pool, read_ms, 3.6e9 AS slot_us,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + 1e6 * interval_s AS end_us
    FROM extent_pool_interval
    WHERE read_rate >= 10 AND read_ms IS NOT NULL
),
reach AS (
    -- one that holds a middle is of the middle's hour, where none is longer than an hour
    {{ slots_of("back_end") }}
),
middle AS (
    SELECT platform, system, interval_start, unix_micros(interval_start) + 5e5 * interval_s AS middle_us
    FROM measured_interval
)
SELECT m.platform, m.system, m.interval_start, r.box, r.extent_pool, avg(r.read_ms) AS back_end_ms
FROM middle m
JOIN reach r ON r.slot = floor(m.middle_us / 3.6e9) AND r.start_us <= m.middle_us AND r.end_us > m.middle_us
GROUP BY m.platform, m.system, m.interval_start, r.box, r.extent_pool

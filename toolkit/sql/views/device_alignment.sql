-- view: device_alignment
-- layer: derived
-- reach: a day
-- needs: measured_interval
-- title: Map from I/O queuing and channel intervals of a system to its device intervals
-- grain: one row per platform, system, interval_start, other_start, other_s
-- columns: platform, system, interval_start, interval_s
-- column other_start TIMESTAMP [UTC]: Start of an interval of lcu_extra, lcu_queue, lcu_path_interval or channel_interval
-- columns: other_s
-- note: Two intervals belong together when the middle of one lies inside the other, as in cache_alignment. Equal intervals that differ by seconds pair one to one; a long one pairs with every short one inside it.
WITH other AS (
    SELECT platform, system, interval_start, interval_s FROM lcu_extra
    UNION
    SELECT platform, system, interval_start, interval_s FROM lcu_queue
    UNION
    SELECT platform, system, interval_start, interval_s FROM lcu_path_interval
    UNION
    SELECT platform, system, interval_start, interval_s FROM channel_interval
),
both_kinds AS (
    SELECT platform, system, interval_start, interval_s, TRUE AS is_device FROM measured_interval
    UNION ALL
    SELECT platform, system, interval_start, interval_s, FALSE AS is_device FROM other
),
{{ timed_by_slots("both_kinds") }},
pair AS (
    SELECT
        m.platform,
        m.system,
        m.is_device,
        m.interval_start,
        m.interval_s,
        r.interval_start AS around_start,
        r.interval_s AS around_s
    FROM timed m
    JOIN reach r
        ON r.platform = m.platform
        AND r.system = m.system
        AND r.is_device <> m.is_device
        AND r.slot = floor(m.middle_us / m.slot_us)
        AND r.start_us <= m.middle_us
        AND r.end_us > m.middle_us
)
SELECT platform, system, interval_start, interval_s, around_start AS other_start, around_s AS other_s
FROM pair
WHERE is_device
UNION
SELECT platform, system, around_start AS interval_start, around_s AS interval_s, interval_start AS other_start,
    interval_s AS other_s
FROM pair
WHERE NOT is_device

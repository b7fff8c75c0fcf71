-- view: shared_alignment
-- layer: derived
-- reach: a day
-- needs: _shared_volume
-- title: Map from intervals of box counters to intervals of volumes, all systems together
-- grain: one row per interval_start, interval_s, other_start, other_s
-- column interval_start TIMESTAMP [UTC]: Start of an interval of shared_volume_interval
-- columns: interval_s
-- column other_start TIMESTAMP [UTC]: Start of an interval of cache_interval, extent_pool_interval or nvs_delay
-- columns: other_s
-- note: Two intervals belong together when the middle of one lies inside the other, as in cache_alignment.
WITH both_kinds AS (
    SELECT DISTINCT interval_start, interval_s, TRUE AS is_shared FROM _shared_volume
    UNION ALL
    SELECT interval_start, interval_s, FALSE AS is_shared
    FROM (
        SELECT interval_start, interval_s FROM cache_interval
        UNION
        SELECT interval_start, interval_s FROM extent_pool_interval
        UNION
        SELECT interval_start, interval_s FROM cache_subsystem_interval
    ) AS other
),
{{ timed_by_slots("both_kinds") }},
pair AS (
    SELECT
        m.is_shared,
        m.interval_start,
        m.interval_s,
        r.interval_start AS around_start,
        r.interval_s AS around_s
    FROM timed m
    JOIN reach r
        ON r.is_shared <> m.is_shared
        AND r.slot = floor(m.middle_us / m.slot_us)
        AND r.start_us <= m.middle_us
        AND r.end_us > m.middle_us
)
SELECT interval_start, interval_s, around_start AS other_start, around_s AS other_s
FROM pair
WHERE is_shared
UNION
SELECT around_start AS interval_start, around_s AS interval_s, interval_start AS other_start, interval_s AS other_s
FROM pair
WHERE NOT is_shared

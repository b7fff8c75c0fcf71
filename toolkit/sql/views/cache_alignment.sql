-- view: cache_alignment
-- layer: derived
-- reach: a day
-- needs: measured_interval
-- title: Map from cache intervals to the device intervals they cover
-- grain: one row per platform, system, interval_start, cache_platform, cache_system, cache_start
-- columns: platform, system, interval_start
-- column cache_platform VARCHAR []: Operating system that gathered the cache statistics
-- columns: cache_system
-- column cache_start TIMESTAMP [UTC]: Start of the cache interval
-- note: Two intervals belong together when the middle of one lies inside the other. Equal intervals that differ by seconds pair one to one; a long one pairs with every short one inside it.
WITH both_kinds AS (
    SELECT platform, system, interval_start, interval_s, TRUE AS is_device FROM measured_interval
    UNION ALL
    SELECT platform, system, interval_start, max(interval_s) AS interval_s, FALSE AS is_device
    FROM (
        -- the intervals of cache_interval; of 74.5 records without their devices, which are twenty times as many
        SELECT 'z/OS' AS platform, system, interval_start, interval_s FROM cache_record WHERE kept
        UNION ALL
        SELECT platform, system, interval_start, interval_s FROM cache_interval WHERE source <> 'smf74.5'
    ) AS gathered
    GROUP BY platform, system, interval_start
),
{{ timed_by_slots("both_kinds") }},
pair AS (
    SELECT
        m.is_device,
        m.platform,
        m.system,
        m.interval_start,
        r.platform AS around_platform,
        r.system AS around_system,
        r.interval_start AS around_start
    FROM timed m
    JOIN reach r
        ON r.is_device <> m.is_device
        AND r.slot = floor(m.middle_us / m.slot_us)
        AND r.start_us <= m.middle_us
        AND r.end_us > m.middle_us
)
SELECT
    platform,
    system,
    interval_start,
    around_platform AS cache_platform,
    around_system AS cache_system,
    around_start AS cache_start
FROM pair
WHERE is_device
UNION
SELECT
    around_platform AS platform,
    around_system AS system,
    around_start AS interval_start,
    platform AS cache_platform,
    system AS cache_system,
    interval_start AS cache_start
FROM pair
WHERE NOT is_device

-- reach: a day
-- title: Map from cache intervals to the device intervals they cover
-- grain: one row per platform, system, interval_start, cache_platform, cache_system, cache_start
-- columns: platform, system, interval_start
-- column cache_platform VARCHAR []: Operating system that gathered the cache statistics
-- columns: cache_system
-- column cache_start TIMESTAMP [UTC]: Start of the cache interval
-- note: Two intervals belong together when the middle of one lies inside the other. Equal intervals that differ by seconds pair one to one; a long one pairs with every short one inside it.
WITH gathered AS (
    SELECT platform, system, interval_start, max(interval_s) AS interval_s
    FROM (
        -- the intervals of cache_interval; of 74.5 records without their devices, which are twenty times as many
        SELECT 'z/OS' AS platform, system, interval_start, interval_s FROM cache_record WHERE kept
        UNION ALL
        SELECT platform, system, interval_start, interval_s FROM cache_interval WHERE source <> 'smf74.5'
    ) AS each_subsystem
    GROUP BY platform, system, interval_start
),
{{ pairs_of("measured_interval", "gathered", "platform system interval_start interval_s") }}
SELECT
    platform, system, interval_start, other_platform AS cache_platform, other_system AS cache_system,
    other_interval_start AS cache_start
FROM pair

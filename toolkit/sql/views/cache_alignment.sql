-- view: cache_alignment
-- layer: derived
-- title: Which cache intervals cover which device intervals
-- grain: one row per platform, system, interval_start, cache_platform, cache_system, cache_start
-- column platform VARCHAR []: Operating system of the device measurements
-- column system VARCHAR []: System of the device measurements
-- column interval_start TIMESTAMP [UTC]: Start of the device interval
-- column cache_platform VARCHAR []: Operating system that gathered the cache statistics
-- column cache_system VARCHAR []: System that gathered the cache statistics
-- column cache_start TIMESTAMP [UTC]: Start of the cache interval
-- note: Two intervals belong together when the middle of one lies inside the other. Equal intervals that differ by seconds pair one to one; a long one pairs with every short one inside it.
WITH device AS (
    SELECT
        platform,
        system,
        interval_start,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(interval_s * 500000 AS BIGINT) AS middle_us,
        unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT) AS end_us
    FROM measured_interval
),
cache AS (
    SELECT
        platform,
        system,
        interval_start,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(max(interval_s) * 500000 AS BIGINT) AS middle_us,
        unix_micros(interval_start) + CAST(max(interval_s) * 1000000 AS BIGINT) AS end_us
    FROM cache_interval
    GROUP BY platform, system, interval_start
)
SELECT
    d.platform,
    d.system,
    d.interval_start,
    c.platform AS cache_platform,
    c.system AS cache_system,
    c.interval_start AS cache_start
FROM device d
JOIN cache c ON c.middle_us >= d.start_us AND c.middle_us < d.end_us
UNION
SELECT
    d.platform,
    d.system,
    d.interval_start,
    c.platform AS cache_platform,
    c.system AS cache_system,
    c.interval_start AS cache_start
FROM cache c
JOIN device d ON d.middle_us >= c.start_us AND d.middle_us < c.end_us

-- reach: a day
-- title: Map from intervals of box counters to intervals of volumes, all systems together
-- grain: one row per interval_start, interval_s, other_start, other_s
-- column interval_start TIMESTAMP [UTC]: Start of an interval of shared_volume_interval
-- columns: interval_s
-- column other_start TIMESTAMP [UTC]: Start of an interval of cache_interval, extent_pool_interval or nvs_delay
-- columns: other_s
-- note: Two intervals belong together when the middle of one lies inside the other, as in cache_alignment.
WITH shared AS (
    SELECT DISTINCT interval_start, interval_s
    FROM volume_on_box_clock
    WHERE volser IS NOT NULL AND NOT coalesce(is_apart, FALSE)
),
other AS (
    SELECT interval_start, interval_s FROM cache_interval
    UNION
    SELECT interval_start, interval_s FROM extent_pool_interval
    UNION
    SELECT interval_start, interval_s FROM cache_subsystem_interval
),
{{ pairs_of("shared", "other", "interval_start interval_s") }}
SELECT interval_start, interval_s, other_interval_start AS other_start, other_interval_s AS other_s FROM pair

-- fragment: cache counts by {key}
-- What the cache did for each KEY of cache_interval c in the intervals of a system that measured devices (cache_alignment
-- a); WHERE and GROUP BY a.platform, a.system, a.interval_start, c.KEY follow.
SELECT
    a.platform,
    a.system,
    a.interval_start,
    c.{key},
    max(c.subsystem) AS subsystem,
    max(c.system) AS cache_system,
    sum(c.interval_s) AS cache_s,
    sum(c.read_count) AS read_count,
    sum(c.write_count) AS write_count,
    sum(c.read_hit_count) AS read_hit_count,
    sum(c.write_hit_count) AS write_hit_count,
    sum(c.nvs_delay_count) AS nvs_delay_count,
    max(c.extent_pool) AS extent_pool
FROM cache_interval c
JOIN cache_alignment a
    ON a.cache_platform = c.platform AND a.cache_system = c.system AND a.cache_start = c.interval_start

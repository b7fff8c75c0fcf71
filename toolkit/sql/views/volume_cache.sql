-- stored: in memory
-- reach: a day
-- title: Cache statistics mapped to the device intervals of systems that did not gather them
-- grain: one row per platform, system, interval_start, volser
-- columns: platform, system, interval_start, volser, subsystem, cache_system, read_ratio, read_hit_ratio
-- columns: write_hit_ratio, nvs_delay_rate, extent_pool
-- note: The system that gathered the statistics has them by device number, see device_cache. If several subsystems have a volume of that serial in one interval, there is no row.
{{ cache_ratios("volser") }}
WHERE NOT (a.system = a.cache_system AND a.platform = a.cache_platform) AND c.volser IS NOT NULL
GROUP BY a.platform, a.system, a.interval_start, c.volser
-- of two disks of one serial this system's is unknown
HAVING min(c.subsystem) = max(c.subsystem) OR max(c.subsystem) IS NULL

-- stored: in memory
-- reach: a day
-- title: Cache statistics mapped to the device intervals of the system that gathered them
-- grain: one row per platform, system, interval_start, device
-- columns: platform, system, interval_start, device, subsystem, cache_system, read_ratio, read_hit_ratio
-- columns: write_hit_ratio, nvs_delay_rate, extent_pool
-- note: Device numbers are specific to a system; only those of the system that gathered the statistics are certain to match. For others see volume_cache.
{{ cache_ratios("device") }}
WHERE a.system = a.cache_system AND a.platform = a.cache_platform
GROUP BY a.platform, a.system, a.interval_start, c.device

-- view: device_cache
-- layer: derived
-- stored: in memory
-- reach: a day
-- title: Cache statistics mapped to the device intervals of the system that gathered them
-- grain: one row per platform, system, interval_start, device
-- column platform VARCHAR []: Operating system of the device measurements
-- column system VARCHAR []: System of the device measurements
-- column interval_start TIMESTAMP [UTC]: Start of the device interval
-- column device VARCHAR []: Device number as cache_interval has it
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- columns: cache_system
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes
-- column read_hit_ratio DOUBLE [ratio 0..1]: Read hits over reads
-- column write_hit_ratio DOUBLE [ratio 0..1]: Write hits over writes
-- column nvs_delay_rate DOUBLE [per second]: Fast writes delayed for lack of NVS
-- column extent_pool VARCHAR []: Extent pool of the box, 4 hex digits
-- note: Device numbers are specific to a system; only those of the system that gathered the statistics are certain to match. For others see volume_cache.
{{ cache_ratios("device") }}
WHERE a.system = a.cache_system AND a.platform = a.cache_platform
GROUP BY a.platform, a.system, a.interval_start, c.device

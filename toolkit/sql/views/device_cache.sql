-- view: device_cache
-- layer: derived
-- reach: a day
-- title: Cache counts brought to the intervals of the devices of the system that gathered them
-- grain: one row per platform, system, interval_start, device
-- column platform VARCHAR []: Operating system of the device measurements
-- column system VARCHAR []: System of the device measurements
-- column interval_start TIMESTAMP [UTC]: Start of the device interval
-- column device VARCHAR []: Device number as cache_interval has it
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- column cache_system VARCHAR []: System that gathered
-- column cache_s DOUBLE [s]: Seconds of cache statistics
-- column read_count DOUBLE [events in the interval]: Read requests
-- column write_count DOUBLE [events in the interval]: Write requests
-- column read_hit_count DOUBLE [events in the interval]: Reads found in cache
-- column write_hit_count DOUBLE [events in the interval]: Writes that hit
-- column nvs_delay_count DOUBLE [events in the interval]: Fast writes delayed for lack of NVS
-- column extent_pool VARCHAR []: Extent pool of the box, 4 hex digits
-- note: Device numbers are a system's own; only the system that gathered the statistics uses the same ones for certain. For others see volume_cache.
/* cache counts by device */
WHERE a.system = a.cache_system AND a.platform = a.cache_platform
GROUP BY a.platform, a.system, a.interval_start, c.device

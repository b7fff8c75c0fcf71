-- view: volume_cache
-- layer: derived
-- reach: a day
-- title: Cache counts brought to the intervals of every system that measured devices but did not gather them
-- grain: one row per platform, system, interval_start, volser
-- column platform VARCHAR []: Operating system of the device measurements
-- column system VARCHAR []: System of the device measurements
-- column interval_start TIMESTAMP [UTC]: Start of the device interval
-- column volser VARCHAR []: Volume serial
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- column cache_system VARCHAR []: System that gathered
-- column cache_s DOUBLE [s]: Seconds of cache statistics
-- column read_count DOUBLE [events in the interval]: Read requests
-- column write_count DOUBLE [events in the interval]: Write requests
-- column read_hit_count DOUBLE [events in the interval]: Reads found in cache
-- column write_hit_count DOUBLE [events in the interval]: Writes that hit
-- column nvs_delay_count DOUBLE [events in the interval]: Fast writes delayed for lack of NVS
-- column extent_pool VARCHAR []: Extent pool of the box, 4 hex digits
-- note: The system that gathered the statistics has them by device number, see device_cache.
/* cache counts by volser */
WHERE NOT (a.system = a.cache_system AND a.platform = a.cache_platform) AND c.volser IS NOT NULL
GROUP BY a.platform, a.system, a.interval_start, c.volser

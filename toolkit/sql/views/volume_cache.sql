-- view: volume_cache
-- layer: derived
-- stored: in memory
-- reach: a day
-- title: Cache statistics mapped to the device intervals of systems that did not gather them
-- grain: one row per platform, system, interval_start, volser
-- column platform VARCHAR []: Operating system of the device measurements
-- column system VARCHAR []: System of the device measurements
-- column interval_start TIMESTAMP [UTC]: Start of the device interval
-- column volser VARCHAR []: Volume serial
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- columns: cache_system
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes
-- column read_hit_ratio DOUBLE [ratio 0..1]: Read hits over reads
-- column write_hit_ratio DOUBLE [ratio 0..1]: Write hits over writes
-- column nvs_delay_rate DOUBLE [per second]: Fast writes delayed for lack of NVS
-- column extent_pool VARCHAR []: Extent pool of the box, 4 hex digits
-- note: The system that gathered the statistics has them by device number, see device_cache. If several subsystems have a volume of that serial in one interval, there is no row.
{{ cache_ratios("volser") }}
WHERE NOT (a.system = a.cache_system AND a.platform = a.cache_platform) AND c.volser IS NOT NULL
GROUP BY a.platform, a.system, a.interval_start, c.volser
-- of two disks of one serial this system's is unknown
HAVING min(c.subsystem) = max(c.subsystem) OR max(c.subsystem) IS NULL

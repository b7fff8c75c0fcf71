-- view: volume_cache
-- layer: derived
-- title: Cache counts brought to the intervals and names of every system that measured devices
-- grain: one row per platform, system, interval_start, match_key
-- column platform VARCHAR []: Operating system of the device measurements
-- column system VARCHAR []: System of the device measurements
-- column interval_start TIMESTAMP [UTC]: Start of the device interval
-- column match_key VARCHAR []: device: and device number on the system that gathered; volume: and volume serial on every other system
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- column cache_system VARCHAR []: System that gathered
-- column cache_s DOUBLE [s]: Seconds of cache statistics
-- column read_count DOUBLE [events in the interval]: Read requests
-- column write_count DOUBLE [events in the interval]: Write requests
-- column read_hit_count DOUBLE [events in the interval]: Reads found in cache
-- column write_hit_count DOUBLE [events in the interval]: Writes that hit
-- column nvs_delay_count DOUBLE [events in the interval]: Fast writes delayed for lack of NVS
-- column extent_pool VARCHAR []: Extent pool of the box, 4 hex digits
-- note: Device numbers are a system's own; only the system that gathered the statistics uses the same ones for certain. Others are matched by volume serial.
SELECT
    a.platform,
    a.system,
    a.interval_start,
    CASE WHEN a.system = a.cache_system AND a.platform = a.cache_platform THEN 'device:' || c.device
        ELSE 'volume:' || c.volser END AS match_key,
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
WHERE (a.system = a.cache_system AND a.platform = a.cache_platform) OR c.volser IS NOT NULL
GROUP BY
    a.platform,
    a.system,
    a.interval_start,
    CASE WHEN a.system = a.cache_system AND a.platform = a.cache_platform THEN 'device:' || c.device
        ELSE 'volume:' || c.volser END

-- title: Subsystems
-- about: Cache statistics of the whole span (type 74.5 or listings), each counted once however many systems gathered it. What NVS cost is an estimate from disconnect time; none where that may be another box's of the same id.
-- missing: The lake has no cache statistics.
-- columns: subsystem, box, devices, read_rate, write_rate, read_hit_percent
-- column write_hit_percent .1: Write hits %
-- column delayed_percent .1: Writes delayed by NVS %
-- column delayed_peak_percent .1: Worst interval %
-- column delay_peak_ms .2: NVS ms per write, worst
-- column destage_rate .1: Destage tracks per s
-- column cache_gib .1: Cache GiB
-- column nvs_gib .1: NVS GiB
WITH cost AS (
    SELECT subsystem, {{ worst_of_delayed_writes("delay_ms_per_write") }} AS delay_peak_ms FROM nvs_delay GROUP BY subsystem
)
SELECT c.subsystem, max(trim(LEADING '0' FROM c.control_unit_type) || ' ' || trim(LEADING '0' FROM c.serial)) AS box, max(devices) AS devices,
       {{ each("sum(NAME_count) / nullif(sum(interval_s), 0)", "read write", "NAME_rate") }},
       {{ each("100 * sum(NAME_hit_count) / nullif(sum(NAME_count), 0)", "read write", "NAME_hit_percent") }},
       100 * sum(nvs_delay_count) / nullif(sum(write_count), 0) AS delayed_percent,
       100 * max(nvs_delay_ratio) AS delayed_peak_percent, max(n.delay_peak_ms) AS delay_peak_ms,
       {{ mean_of("destage_rate", "interval_s") }} AS destage_rate,
       max(cache_bytes) / 1073741824 AS cache_gib, max(nvs_bytes) / 1073741824 AS nvs_gib
FROM cache_subsystem_interval c
LEFT JOIN cost n ON n.subsystem = c.subsystem
GROUP BY c.subsystem
ORDER BY delayed_percent DESC NULLS LAST, c.subsystem

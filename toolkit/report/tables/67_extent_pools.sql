-- title: Extent pools
-- about: The pools that volumes live in, over the whole span (type 74.8, 74.5 or listings); busiest first. Which volumes live in one: column extent_pool of volume_interval.
-- missing: The lake has no extent pool statistics (type 74.8 or 74.5).
-- columns: box, extent_pool
-- column pool_type: Type
-- column volumes: Volumes
-- column ranks: Ranks
-- columns: read_rate, write_rate, read_ms, write_ms, read_peak_ms, peak, mb
-- column capacity_tb .1: Real capacity TB
-- column allocated_percent .1: Extents in use %
SELECT box, extent_pool, max(pool_type) AS pool_type, max(volumes) AS volumes, max(ranks) AS ranks,
       {{ each(mean_of("NAME", "interval_s"), "read_rate write_rate") }},
       {{ each(mean_of("NAME_ms", "NAME_rate * interval_s"), "read write", "NAME_ms") }},
       max(read_ms) AS read_peak_ms, max_by(local_start, peak_order(read_ms, local_start)) AS peak,
       {{ mean_of("(read_bytes_rate + write_bytes_rate)", "interval_s") }} / 1e6 AS mb,
       max(real_capacity_bytes) / 1e12 AS capacity_tb,
       100 * max(real_extents_allocated / nullif(CAST(real_extents AS DOUBLE), 0)) AS allocated_percent
FROM extent_pool_interval
GROUP BY box, extent_pool
ORDER BY read_rate DESC NULLS LAST, box, extent_pool

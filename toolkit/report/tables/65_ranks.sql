-- title: Ranks
-- about: The disks behind each extent pool over the whole span (type 74.8 or 74.5); busiest first.
-- missing: The lake has no rank statistics (type 74.8 or 74.5).
-- columns: box
-- column rank: Rank
-- columns: extent_pool
-- column raid_type: RAID
-- column drive_class: Drives
-- column drives: Number
-- columns: read_rate, write_rate, read_ms, write_ms, read_peak_ms, peak, mb
SELECT box, rank, max(extent_pool) AS extent_pool, max(raid_type) AS raid_type, max(drive_class) AS drive_class,
       max(drives) AS drives, {{ each(mean_of("NAME", "interval_s"), "read_rate write_rate") }},
       {{ each(mean_of("NAME_ms", "NAME_rate * interval_s"), "read write", "NAME_ms") }},
       max(read_ms) AS read_peak_ms, max_by(local_start, peak_order(read_ms, local_start)) AS peak,
       {{ mean_of("(read_bytes_rate + write_bytes_rate)", "interval_s") }} / 1e6 AS mb
FROM rank_interval
GROUP BY box, rank
ORDER BY read_rate DESC NULLS LAST, box, rank

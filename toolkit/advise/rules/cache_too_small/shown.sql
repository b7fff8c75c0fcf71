-- title: Number of a box's busy volumes that miss its cache, interval by interval
-- grain: one row per local_start
-- parameter $box VARCHAR []: The box
-- parameter $part VARCHAR []: One of its subsystems; empty for all
-- column poor_volumes BIGINT []: Busy volumes that read past the cache
-- column busy_volumes BIGINT []: Busy volumes
SELECT
    c.local_start,
    count(CASE WHEN c.read_hit_count < $hit_ratio * c.read_count THEN 1 END) AS poor_volumes,
    count(*) AS busy_volumes,
    sum(c.read_hit_count) / sum(c.read_count) AS read_hit_ratio
FROM cache_interval c
LEFT {{ join_box_then("b", "c") }}
WHERE c.read_rate >= $read_rate AND coalesce(b.box, c.subsystem) = $box AND $part IN ('', c.subsystem)
GROUP BY c.local_start
ORDER BY poor_volumes DESC, busy_volumes DESC, c.local_start

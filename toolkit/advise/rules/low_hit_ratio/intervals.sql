-- title: The intervals in which a volume misses the cache: all together, then each
-- grain: one row per local_start
-- parameter $volser VARCHAR []: The volume
-- column misses DOUBLE [I/Os]: Reads that missed
SELECT
    local_start,
    sum(hits) / sum(reads) AS read_hit_ratio,
    sum(reads - hits) AS misses,
    1000 * sum(disc_s) / sum(ios) AS disc_ms
FROM (
    SELECT v.local_start, {{ hits_of_volumes() }}
    FROM volume_interval v
    WHERE v.volser = $volser AND v.io_rate > 0 AND v.read_hit_ratio IS NOT NULL
    GROUP BY v.local_start
) AS all_systems
WHERE hits < $hit_ratio * reads AND disc_s >= $disc_share * service_s AND reads >= $read_rate * interval_s
GROUP BY ROLLUP (local_start)
HAVING count(*) > 0
ORDER BY local_start NULLS FIRST

-- question: low_hit_ratio_intervals
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
    SELECT
        local_start,
        max(interval_s) AS interval_s,
        sum(io_rate * interval_s) AS ios,
        sum(io_rate * interval_s * read_ratio) AS reads,
        sum(io_rate * interval_s * read_ratio * read_hit_ratio) AS hits,
        sum(io_rate * interval_s * disc_ms) / 1000 AS disc_s,
        sum(io_rate * interval_s * response_ms) / 1000 AS response_s
    FROM volume_interval
    WHERE volser = $volser AND io_rate > 0 AND read_hit_ratio IS NOT NULL
    GROUP BY local_start
) AS all_systems
WHERE hits < $hit_ratio * reads AND disc_s >= $disc_share * response_s AND reads >= $read_rate * interval_s
GROUP BY ROLLUP (local_start)
HAVING count(*) > 0
ORDER BY local_start NULLS FIRST

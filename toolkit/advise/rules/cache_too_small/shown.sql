-- question: cache_too_small_shown
-- title: How many of a box's busy volumes read past its cache, interval by interval
-- grain: one row per local_start
-- parameter $hit_ratio DOUBLE [ratio]: Read hits over reads of a poor volume, at most
-- parameter $read_rate DOUBLE [per s]: Reads of a busy volume
-- parameter $box VARCHAR []: The box
-- parameter $part VARCHAR []: One of its subsystems; empty for all
-- column local_start TIMESTAMP [local time]: Start of the interval
-- column poor_volumes BIGINT []: Busy volumes that read past the cache
-- column busy_volumes BIGINT []: Busy volumes
-- column read_hit_ratio DOUBLE [ratio 0..1]: Read hits over reads of the busy volumes
SELECT
    local_start,
    count(CASE WHEN read_hit_count < $hit_ratio * read_count THEN 1 END) AS poor_volumes,
    count(*) AS busy_volumes,
    sum(read_hit_count) / sum(read_count) AS read_hit_ratio
FROM cache_interval
WHERE read_rate >= $read_rate 
    AND (subsystem IN (SELECT subsystem FROM box_subsystem WHERE box = $box) OR subsystem = $box)
    AND $part IN ('', subsystem)
GROUP BY local_start
ORDER BY poor_volumes DESC, busy_volumes DESC, local_start

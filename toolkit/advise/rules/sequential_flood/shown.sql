-- title: Intervals in which sequential work floods a box's cache, lowest hit ratio of the other volumes first
-- grain: one row per local_start
-- parameter $box VARCHAR []: The box
-- column read_hit_ratio_of_the_others DOUBLE [ratio 0..1]: Read hits over reads of all other volumes
SELECT
    local_start,
    sum(CASE WHEN floods THEN 0 ELSE read_hit_count END) / nullif(sum(CASE WHEN floods THEN 0 ELSE read_count END), 0)
        AS read_hit_ratio_of_the_others,
    sum(CASE WHEN floods THEN sequential_stage_rate ELSE 0 END) AS flood_rate,
    array_join(sort_array(collect_set(CASE WHEN floods THEN volser END)), ', ') AS volumes
FROM (
    SELECT
        c.local_start, c.volser, c.read_count, c.read_hit_count, c.sequential_stage_rate,
        coalesce(c.sequential_ratio >= $sequential_ratio, FALSE) AS floods
    FROM cache_interval c
    {{ join_box_then("b", "c") }}
    WHERE c.read_count + c.write_count > 0 AND b.box = $box
) AS volume
GROUP BY local_start
HAVING sum(CASE WHEN floods THEN sequential_stage_rate ELSE 0 END) >= $stage_rate
ORDER BY read_hit_ratio_of_the_others

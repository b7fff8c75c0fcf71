-- question: space_full
-- title: Extent pools and spool space that are nearly full at the end of the data, and how fast they fill
-- grain: one row per kind, owner, space
-- column kind VARCHAR []: pool or spool
-- column owner VARCHAR []: The box or the system
-- column space VARCHAR []: The extent pool; empty for spool
-- column used_ratio DOUBLE [ratio 0..1]: In use in the last interval; of spool the mean of its areas
-- column usual_ratio DOUBLE [ratio 0..1]: The same in the first interval of the day that ends with it
-- column filling_s DOUBLE [s]: From that interval to the last one
-- column left_s DOUBLE [s]: Until it is full at the pace of that time; NULL if no more is in use at its end
-- column fullest_ratio DOUBLE [ratio 0..1]: Most in use in any interval
-- column last_end TIMESTAMP []: End of the last interval, local time
WITH space AS (
    SELECT
        'pool' AS kind, box AS owner, extent_pool AS space, interval_start, local_end,
        real_extents_allocated / nullif(CAST(real_extents AS DOUBLE), 0) AS used_ratio
    FROM extent_pool_interval
    UNION ALL
    SELECT 'spool', system, '', interval_start, max(local_end), avg(used_ratio)
    FROM paging_volume_interval
    WHERE upper(area) LIKE 'SPO%'
    GROUP BY system, interval_start
),
day AS ({{ filling("space", "kind, owner, space") }})
SELECT
    kind, owner, space, used_ratio, usual_ratio, filling_s,
    CASE WHEN used_ratio > usual_ratio THEN (1 - used_ratio) / (used_ratio - usual_ratio) * filling_s END AS left_s,
    fullest_ratio, last_end
FROM day
WHERE used_ratio >= $full
ORDER BY used_ratio DESC, kind, owner, space

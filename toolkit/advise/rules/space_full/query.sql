-- title: Extent pools, spool and temporary disk space nearly full at the end of the data, how fast they fill, and when the space of CP was full
-- grain: one row per kind, owner, space
-- column kind VARCHAR []: pool, spool or temporary disk
-- column owner VARCHAR []: The box or the system
-- column space VARCHAR []: The extent pool; empty for space of CP
-- column used_ratio DOUBLE [ratio 0..1]: In use in the last interval; of CP's space the mean of its areas
-- column usual_ratio DOUBLE [ratio 0..1]: The same in the first interval of the day that ends with it
-- column filling_s DOUBLE [s]: From that interval to the last one
-- column left_s DOUBLE [s]: Until it is full at the pace of that time; NULL if no more is in use at its end
-- column fullest_ratio DOUBLE [ratio 0..1]: Most in use in any interval
-- column last_end TIMESTAMP []: End of the last interval, local time
-- column full_start TIMESTAMP []: Start of the first interval in which CP's space was full, local time; NULL if none
-- column full_end TIMESTAMP []: End of the last one
-- column paged_ratio DOUBLE [ratio 0..1]: Of the pages moved there in the last interval, those of paging
WITH space AS (
    SELECT
        'pool' AS kind, box AS owner, extent_pool AS space, interval_start, local_start, local_end,
        real_extents_allocated / nullif(CAST(real_extents AS DOUBLE), 0) AS used_ratio, NULL AS paged_ratio
    FROM extent_pool_interval
    UNION ALL
    SELECT a.kind, p.system, '', p.interval_start, min(p.local_start), max(p.local_end), avg(p.used_ratio),
        sum(p.page_read_rate + p.page_write_rate) / nullif(sum(p.total_page_rate), 0)
    FROM paging_volume_interval p
    JOIN (SELECT 'spool' AS kind, 'SPO%' AS area UNION ALL SELECT 'temporary disk', 'TD%') a ON upper(p.area) LIKE a.area
    GROUP BY a.kind, p.system, p.interval_start
),
day AS ({{ filling("space", "kind, owner, space") }}),
ever AS (
    SELECT
        kind, owner, space,
        min(CASE WHEN kind <> 'pool' AND used_ratio >= $no_room THEN local_start END) AS full_start,
        max(CASE WHEN kind <> 'pool' AND used_ratio >= $no_room THEN local_end END) AS full_end,
        max_by(paged_ratio, peak_order(unix_micros(interval_start), interval_start)) AS paged_ratio
    FROM space
    GROUP BY kind, owner, space
)
SELECT
    kind, owner, space, used_ratio, usual_ratio, filling_s,
    CASE WHEN used_ratio > usual_ratio THEN (1 - used_ratio) / (used_ratio - usual_ratio) * filling_s END AS left_s,
    fullest_ratio, last_end, full_start, full_end, paged_ratio
FROM day
JOIN ever USING (kind, owner, space)
WHERE used_ratio >= $full OR full_start IS NOT NULL
    OR (
        (1 - used_ratio) * filling_s <= 3600 * $soon_h * (used_ratio - usual_ratio) AND used_ratio - usual_ratio >= $filled_ratio
        AND used_ratio > late_ratio
    )
ORDER BY used_ratio DESC, kind, owner, space

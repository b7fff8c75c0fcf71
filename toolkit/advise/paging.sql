-- title: Paging and spool volumes
-- grain: one row per platform, system, volser, is_spool
-- column is_spool BOOLEAN []: CP spools to it
SELECT DISTINCT platform, system, volser, upper(area) LIKE 'SP%' AS is_spool
FROM paging_volume_interval
WHERE (upper(area) LIKE 'PAG%' OR upper(area) LIKE 'SP%') AND volser IS NOT NULL
UNION
SELECT DISTINCT platform, system, volser, FALSE
FROM paging_interval
WHERE page_read_rate + page_write_rate > 0 AND volser IS NOT NULL
ORDER BY platform, system, volser, is_spool

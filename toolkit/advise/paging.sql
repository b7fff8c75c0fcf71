-- question: paging
-- title: Paging volumes
-- grain: one row per platform, system, volser
SELECT DISTINCT platform, system, volser
FROM paging_volume_interval
WHERE upper(area) LIKE 'PAG%' AND volser IS NOT NULL
UNION
SELECT DISTINCT platform, system, volser
FROM paging_interval
WHERE page_read_rate + page_write_rate > 0 AND volser IS NOT NULL
ORDER BY platform, system, volser

-- title: Paging and spool volumes
-- grain: one row per platform, system, volser, is_spool
-- column is_spool BOOLEAN []: CP spools to it
-- column is_full BOOLEAN []: All of it was in use at some time, to the per cent
SELECT platform, system, volser, is_spool, bool_or(is_full) AS is_full
FROM (
    SELECT platform, system, volser, upper(area) LIKE 'SP%' AND NOT coalesce({{ holds_pages() }}, FALSE) AS is_spool,
        coalesce(round(used_ratio, 2) >= 1, FALSE) AS is_full
    FROM paging_volume_interval
    WHERE (upper(area) LIKE 'PAG%' OR upper(area) LIKE 'SP%') AND volser IS NOT NULL
    UNION ALL
    SELECT platform, system, volser, FALSE, FALSE
    FROM paging_interval
    WHERE page_read_rate + page_write_rate > 0 AND volser IS NOT NULL
) AS u
GROUP BY platform, system, volser, is_spool
ORDER BY platform, system, volser, is_spool

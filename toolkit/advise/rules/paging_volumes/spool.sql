-- title: Paging volumes to which CP spools as much as it pages, of a system the one with most, and spool volumes that hold pages
-- grain: one row per platform, system
-- column spooled VARCHAR []: The paging volume; NULL if none, as the two that follow
-- column spool_rate DOUBLE [per second]: Spool pages read and written there, most in an interval
-- column usual_spool_rate DOUBLE [per second]: The same, first quartile of all intervals
-- column in_spool VARCHAR []: Volumes with more pages than spool pages moved in their spool space, separated by |; NULL if none
WITH used AS (
    SELECT
        platform, system, interval_start, volser,
        sum(coalesce(spool_read_rate, 0) + coalesce(spool_write_rate, 0)) AS spool_rate,
        sum(coalesce(page_read_rate, 0) + coalesce(page_write_rate, 0)) AS page_rate,
        bool_or({{ holds_pages() }}) AS has_pages
    FROM paging_volume_interval
    WHERE volser IS NOT NULL
    GROUP BY platform, system, interval_start, volser
),
mixed AS (
    SELECT
        platform, system, volser, bool_or(has_pages) AS has_pages,
        CASE WHEN max(page_rate) > 0 AND bool_or(spool_rate >= page_rate AND spool_rate > 0) THEN max(spool_rate) END AS spool_rate,
        percentile_cont(0.25) WITHIN GROUP (ORDER BY spool_rate) AS usual_spool_rate
    FROM used
    GROUP BY platform, system, volser
)
SELECT
    platform, system, max_by(volser, name_order(spool_rate, volser)) AS spooled, max(spool_rate) AS spool_rate,
    max_by(usual_spool_rate, name_order(spool_rate, volser)) AS usual_spool_rate,
    nullif(array_join(array_sort(array_distinct(collect_list(CASE WHEN has_pages THEN volser END))), '|'), '') AS in_spool
FROM mixed
GROUP BY platform, system
ORDER BY platform, system

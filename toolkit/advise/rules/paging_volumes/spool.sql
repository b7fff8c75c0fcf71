-- title: Paging volumes to which CP spools as much as it pages, of a system the one with most
-- grain: one row per platform, system
-- column spooled VARCHAR []: The volume
-- column spool_rate DOUBLE [per second]: Spool pages read and written there, most in an interval
-- column usual_spool_rate DOUBLE [per second]: The same, first quartile of all intervals
WITH used AS (
    SELECT
        platform, system, interval_start, volser,
        sum(coalesce(spool_read_rate, 0) + coalesce(spool_write_rate, 0)) AS spool_rate,
        sum(coalesce(page_read_rate, 0) + coalesce(page_write_rate, 0)) AS page_rate
    FROM paging_volume_interval
    WHERE volser IS NOT NULL
    GROUP BY platform, system, interval_start, volser
),
mixed AS (
    SELECT
        platform, system, volser, max(spool_rate) AS spool_rate,
        percentile_cont(0.25) WITHIN GROUP (ORDER BY spool_rate) AS usual_spool_rate
    FROM used
    GROUP BY platform, system, volser
    HAVING max(page_rate) > 0 AND bool_or(spool_rate >= page_rate AND spool_rate > 0)
)
SELECT
    platform, system, max_by(volser, name_order(spool_rate, volser)) AS spooled, max(spool_rate) AS spool_rate,
    max_by(usual_spool_rate, name_order(spool_rate, volser)) AS usual_spool_rate
FROM mixed
GROUP BY platform, system
ORDER BY platform, system

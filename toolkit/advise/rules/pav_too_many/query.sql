-- title: Volumes with static aliases and the need of their busiest interval, 0 of one without I/Os, for LCUs with several times as many as all need
-- grain: one row per platform, volume
-- column in_service DOUBLE [I/Os]: Mean number of I/Os in progress, busiest interval
-- note: The volume's busiest interval on any system counts, as all systems can use an alias.
WITH quiet AS (
    SELECT
        platform, volume,
        {{ each("max(NAME)", "lcu exposures wait_peak_ms") }},
        min(verdict) AS verdict
    FROM pav_candidate
    WHERE is_hyperpav IS NOT TRUE AND lcu IS NOT NULL
    GROUP BY platform, volume
),
busiest AS (
    SELECT
        platform, volume,
        {{ each("max(NAME)", "lcu exposures io_rate in_service service_ms") }},
        coalesce(bool_or(is_hyperpav), FALSE) AS is_pooled,
        {{ measured_hours() }}
    FROM volume_interval
    GROUP BY platform, volume
)
SELECT b.platform, b.volume, coalesce(q.lcu, b.lcu) AS lcu, coalesce(q.exposures, b.exposures) AS exposures, coalesce(q.wait_peak_ms, 0) AS wait_peak_ms,
    q.verdict, CASE WHEN b.io_rate > 0 THEN b.in_service ELSE 0 END AS in_service, b.service_ms, b.hours, b.system_names, b.has_month_end
FROM busiest b
LEFT JOIN quiet q ON q.platform = b.platform AND q.volume = b.volume
WHERE q.exposures + q.wait_peak_ms + b.in_service + b.service_ms IS NOT NULL
    OR (b.io_rate = 0 AND b.exposures > 1 AND b.lcu IS NOT NULL AND NOT b.is_pooled)
ORDER BY b.platform, lcu, b.volume

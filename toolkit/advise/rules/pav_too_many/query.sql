-- title: Volumes with static aliases and the need of their busiest interval, if known
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
        {{ each("max(NAME)", "in_service service_ms") }},
        {{ measured_hours() }}
    FROM volume_interval
    WHERE io_rate > 0
    GROUP BY platform, volume
)
SELECT q.platform, q.volume, q.lcu, q.exposures, q.wait_peak_ms, q.verdict, b.in_service, b.service_ms, b.hours,
    b.system_names, b.has_month_end
FROM quiet q
JOIN busiest b ON b.platform = q.platform AND b.volume = q.volume
WHERE q.exposures + q.wait_peak_ms + b.in_service + b.service_ms IS NOT NULL
ORDER BY q.platform, q.lcu, q.volume

-- question: pav_too_many
-- title: Volumes with static aliases and what their busiest interval needs, where all of that is known
-- grain: one row per platform, volume
-- column platform VARCHAR []: Operating system that measured
-- column volume VARCHAR []: Volume as in volume_interval
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column exposures DOUBLE []: Base plus aliases, most on any system
-- column wait_peak_ms DOUBLE [milliseconds]: Mean wait of the interval with the longest queue, worst system
-- column verdict VARCHAR []: add where some system's view of the volume asks for aliases, see pav_candidate
-- column in_service DOUBLE [I/Os]: Mean number of I/Os in progress, busiest interval
-- column service_ms DOUBLE [milliseconds]: Longest mean service time of an interval
-- column hours DOUBLE [hours]: Length of the measurements, mean over systems
-- column system_names VARCHAR []: Systems that measured it, separated by |
-- column has_month_end BOOLEAN []: The last day of a month was measured
-- note: The volume's busiest interval counts, whichever system saw it: an alias is there for all of them.
WITH quiet AS (
    SELECT
        platform, volume,
        max(lcu) AS lcu,
        max(exposures) AS exposures,
        max(wait_peak_ms) AS wait_peak_ms,
        min(verdict) AS verdict
    FROM pav_candidate
    WHERE is_hyperpav IS NOT TRUE AND lcu IS NOT NULL
    GROUP BY platform, volume
),
busiest AS (
    SELECT
        platform, volume,
        max(in_service) AS in_service,
        max(service_ms) AS service_ms,
        sum(interval_s) / count(DISTINCT system) / 3600 AS hours,
        array_join(sort_array(collect_set(system)), '|') AS system_names,
        max(CASE WHEN last_day(local_start) = CAST(local_start AS DATE) THEN 1 ELSE 0 END) = 1 AS has_month_end
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

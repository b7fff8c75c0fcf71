-- title: Intervals in which a service class misses its goal and waits for disks more than usual
-- grain: one row per system, service_class, period, local_start
-- parameter $delayed DOUBLE [ratio]: Samples delayed for disk I/O, at least
-- parameter $delayed_times DOUBLE [times]: These over the class's own first quartile, at least
WITH class AS (
    SELECT * FROM service_class_interval WHERE NOT coalesce(is_report_class, FALSE)
),
usual AS (
    SELECT platform, system, service_class, period, percentile_cont(0.25) WITHIN GROUP (ORDER BY disk_delay_ratio) AS usual_ratio
    FROM class
    GROUP BY platform, system, service_class, period
)
SELECT
    c.system, c.service_class, c.period, c.importance, c.performance_index, c.disk_delay_ratio, c.interval_s, c.local_start, c.local_end
FROM class c
JOIN usual u ON {{ equal("platform, system, service_class, period", "u", "c") }}
WHERE c.performance_index > 1 AND c.disk_delay_ratio >= $delayed AND c.disk_delay_ratio >= $delayed_times * u.usual_ratio
ORDER BY c.system, c.service_class, c.period, c.local_start

-- title: Systems with their operating system and number of measured days
-- grain: one row per platform, system
-- column days BIGINT [days]: Days with an interval of its devices; 0 where it has no second interval, in which a queue could come back
SELECT
    s.platform, s.system,
    CASE WHEN count(DISTINCT m.interval_start) > 1 THEN count(DISTINCT CAST(m.local_start AS DATE)) ELSE 0 END AS days
FROM measured_span s
LEFT JOIN measured_interval m ON m.platform = s.platform AND m.system = s.system
GROUP BY s.platform, s.system
ORDER BY s.platform, s.system

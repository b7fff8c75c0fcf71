-- question: stopped_records
-- title: Systems whose cache records cover a part of their time only, where no other system has later ones
-- grain: one row per platform, system
-- column local_start TIMESTAMP []: Start of the first, local time
-- column local_end TIMESTAMP []: End of the last
WITH cached AS (
    SELECT platform, system, min(local_start) AS local_start, max(local_end) AS local_end, max(interval_s) AS interval_s
    FROM cache_subsystem_interval
    WHERE interval_s > 0
    GROUP BY platform, system
),
measured AS (
    SELECT platform, system, max(local_end) AS local_end, max(interval_s) AS interval_s
    FROM measured_interval
    WHERE interval_s > 0
    GROUP BY platform, system
)
SELECT c.platform, c.system, c.local_start, c.local_end
FROM (SELECT *, max(local_end) OVER (PARTITION BY platform) AS last_end FROM cached) c
JOIN measured m ON m.platform = c.platform AND m.system = c.system
-- intervals of boxes and devices end some seconds apart
WHERE c.local_end = c.last_end
    AND unix_micros(m.local_end) - unix_micros(c.local_end) > 2e6 * greatest(c.interval_s, m.interval_s)
ORDER BY c.platform, c.system

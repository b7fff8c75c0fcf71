-- title: Systems whose cache records cover a part of their time only, where no other system has later ones
-- grain: one row per platform, system
-- column local_start TIMESTAMP []: Start of the first, local time
-- column local_end TIMESTAMP []: End of the last
SELECT c.platform, c.system, min(c.local_start) AS local_start, max(c.local_end) AS local_end
FROM cache_subsystem_interval c
JOIN (
    SELECT platform, system, max(local_end) AS local_end, max(interval_s) AS interval_s FROM measured_interval GROUP BY platform, system
) m ON m.platform = c.platform AND m.system = c.system
GROUP BY c.platform, c.system
-- intervals of boxes and devices end some seconds apart
HAVING unix_micros(max(m.local_end)) - unix_micros(max(c.local_end)) > 2e6 * greatest(max(c.interval_s), max(m.interval_s))
    AND max(c.local_end) >= (SELECT max(local_end) FROM cache_subsystem_interval)
ORDER BY c.platform, c.system

-- question: disc_unexplained_unplaced
-- title: Subsystems with cache counts of the hours of an LCU whose volumes no record names, as a cache report without the overview of the devices
-- grain: one row per platform, system, lcu
-- column unplaced VARCHAR []: Them in order, separated by |
WITH cached AS (
    SELECT DISTINCT s.subsystem, s.local_start, s.local_end
    FROM cache_subsystem_interval s
    LEFT JOIN (SELECT DISTINCT subsystem FROM cache_interval WHERE volser IS NOT NULL) c ON c.subsystem = s.subsystem
    WHERE c.subsystem IS NULL
)
SELECT l.platform, l.system, l.lcu, array_join(sort_array(collect_set(c.subsystem)), '|') AS unplaced
FROM lcu_interval l
JOIN cached c ON c.local_start < l.local_end AND c.local_end > l.local_start
WHERE l.platform = 'z/OS' AND l.disc_ms > 0
GROUP BY l.platform, l.system, l.lcu
ORDER BY l.platform, l.system, l.lcu

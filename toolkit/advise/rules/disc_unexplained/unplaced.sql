-- title: Subsystems with cache counts of the hours of an LCU whose volumes no record names, as a cache report without the overview of the devices
-- grain: one row per platform, system, lcu
-- column unplaced VARCHAR []: Them in order, separated by |
-- column then_hit_ratio DOUBLE [ratio 0..1]: Their read hits over reads while disconnect of the LCU is long
-- column else_hit_ratio DOUBLE [ratio 0..1]: The same at other times
-- column then_stage_rate DOUBLE [per second]: Tracks that sequential reads stage to their caches while it is long
-- column else_stage_rate DOUBLE [per second]: The same at other times
WITH cached AS (
    SELECT s.*
    FROM cache_subsystem_interval s
    LEFT JOIN (SELECT DISTINCT subsystem FROM cache_interval WHERE volser IS NOT NULL) c ON c.subsystem = s.subsystem
    WHERE c.subsystem IS NULL
),
measured AS (
    SELECT * FROM lcu_interval WHERE platform = 'z/OS' AND disc_ms > 0
),
best AS (
    {{ best_of("disc_ms", "measured", "platform, system, lcu") }}
),
compared AS (
    SELECT
        l.platform, l.system, l.lcu, c.subsystem, c.interval_s, c.read_count, c.read_hit_count, c.sequential_stage_rate,
        l.disc_ms >= b.best_ms + $above_ms AND l.disc_ms >= $above_factor * b.best_ms AS is_long
    FROM measured l
    JOIN best b ON b.platform = l.platform AND b.system = l.system AND b.lcu = l.lcu
    JOIN cached c ON c.local_start < l.local_end AND c.local_end > l.local_start
)
SELECT
    platform, system, lcu,
    array_join(sort_array(collect_set(subsystem)), '|') AS unplaced,
    sum(CASE WHEN is_long THEN read_hit_count END) / nullif(sum(CASE WHEN is_long THEN read_count END), 0) AS then_hit_ratio,
    sum(CASE WHEN NOT is_long THEN read_hit_count END) / nullif(sum(CASE WHEN NOT is_long THEN read_count END), 0)
        AS else_hit_ratio,
    sum(CASE WHEN is_long THEN sequential_stage_rate * interval_s END) / sum(CASE WHEN is_long THEN interval_s END)
        AS then_stage_rate,
    sum(CASE WHEN NOT is_long THEN sequential_stage_rate * interval_s END) / sum(CASE WHEN NOT is_long THEN interval_s END)
        AS else_stage_rate
FROM compared
GROUP BY platform, system, lcu
ORDER BY platform, system, lcu

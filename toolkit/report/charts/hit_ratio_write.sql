-- question: hit_ratio_write
-- title: Write hit ratio of the 24 subsystems with the lowest
-- grain: one row per subsystem, t
-- column t TIMESTAMP []: Start of the step, local time
-- column subsystem VARCHAR []: Subsystem (SSID)
-- column step_s INTEGER [s]: Length of the step
-- column hit_ratio DOUBLE [ratio 0..1]: Hits per access
-- column whole_ratio DOUBLE [ratio 0..1]: The same over the whole span
WITH local AS (
    /* steps of cache_subsystem_interval */
),
lowest AS (
    SELECT subsystem, sum(write_hit_count) / sum(write_count) AS whole_ratio
    FROM cache_subsystem_interval
    WHERE write_count > 0
    GROUP BY subsystem
    ORDER BY whole_ratio, subsystem
    LIMIT 24
)
SELECT
    l.t,
    l.subsystem,
    max(l.step_s) AS step_s,
    sum(l.write_hit_count) / sum(l.write_count) AS hit_ratio,
    max(w.whole_ratio) AS whole_ratio
FROM local AS l
JOIN lowest AS w ON w.subsystem = l.subsystem
WHERE l.write_count > 0
GROUP BY l.t, l.subsystem
ORDER BY l.subsystem, l.t

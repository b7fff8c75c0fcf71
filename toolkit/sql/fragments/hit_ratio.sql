-- fragment: hit ratio of {access}
-- Hits of the 24 subsystems with the lowest ratio over the whole span, in steps of local time. ACCESS is read or write,
-- as in the names of the columns that count them.
WITH local AS (
    /* steps of cache_subsystem_interval */
),
lowest AS (
    SELECT subsystem, sum({access}_hit_count) / sum({access}_count) AS whole_ratio
    FROM cache_subsystem_interval
    WHERE {access}_count > 0 AND {access}_hit_count IS NOT NULL
    GROUP BY subsystem
    ORDER BY whole_ratio, subsystem
    LIMIT 24
)
SELECT
    l.t,
    l.subsystem,
    max(l.step_s) AS step_s,
    sum(l.{access}_hit_count) / sum(l.{access}_count) AS hit_ratio,
    max(w.whole_ratio) AS whole_ratio
FROM local AS l
JOIN lowest AS w ON w.subsystem = l.subsystem
WHERE l.{access}_count > 0 AND l.{access}_hit_count IS NOT NULL
GROUP BY l.t, l.subsystem
ORDER BY l.subsystem, l.t

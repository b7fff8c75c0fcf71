-- title: Writes delayed for lack of NVS in the 24 worst subsystems
-- grain: one row per subsystem, t
-- columns: t, subsystem, step_s, intervals
-- column delayed_ratio DOUBLE [ratio 0..1]: Writes delayed for lack of NVS per write
-- column delayed DOUBLE []: Writes delayed over the whole span
-- column troubled BIGINT []: Subsystems with a delayed write
-- columns: least, most, most_at
WITH local AS (
    {{ steps_of("cache_subsystem_interval") }}
),
by_interval AS (
    SELECT
        subsystem, t, max(step_s) AS step_s, min(local_start) AS began, sum(write_count) AS writes,
        sum(nvs_delay_count) AS delayed, sum(nvs_delay_count) / sum(write_count) AS delayed_ratio
    FROM local
    WHERE write_count > 0 AND nvs_delay_count IS NOT NULL
    GROUP BY subsystem, t, slot
),
worst AS (
    SELECT subsystem, max(delayed_ratio) AS peak_ratio, sum(delayed) AS delayed
    FROM by_interval
    GROUP BY subsystem
),
shown AS (
    SELECT subsystem, delayed, count(CASE WHEN delayed > 0 THEN 1 END) OVER () AS troubled
    FROM worst
    ORDER BY peak_ratio DESC, subsystem
    LIMIT 24
)
SELECT
    i.t, i.subsystem, max(i.step_s) AS step_s, count(*) AS intervals, sum(i.delayed) / sum(i.writes) AS delayed_ratio,
    max(s.delayed) AS delayed, max(s.troubled) AS troubled, min(i.delayed_ratio) AS least, max(i.delayed_ratio) AS most,
    max_by(i.began, peak_order(i.delayed_ratio, i.began)) AS most_at
FROM by_interval AS i
JOIN shown AS s ON s.subsystem = i.subsystem
GROUP BY i.t, i.subsystem
ORDER BY i.subsystem, i.t

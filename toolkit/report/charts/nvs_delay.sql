-- question: nvs_delay
-- title: Writes delayed for lack of NVS in the 24 worst subsystems
-- grain: one row per subsystem, t
-- column t TIMESTAMP []: Start of the step, local time
-- column subsystem VARCHAR []: Subsystem (SSID)
-- column step_s INTEGER [s]: Length of the step
-- column delayed_ratio DOUBLE [ratio 0..1]: Writes delayed for lack of NVS per write
-- column delayed DOUBLE []: Writes delayed over the whole span
-- column troubled BIGINT []: Subsystems with a delayed write
WITH local AS (
    /* steps of cache_subsystem_interval */
),
worst AS (
    SELECT subsystem, max(nvs_delay_ratio) AS peak_ratio, sum(nvs_delay_count) AS delayed
    FROM cache_subsystem_interval
    WHERE write_count > 0 AND nvs_delay_count IS NOT NULL
    GROUP BY subsystem
),
troubled AS (
    SELECT count(*) AS troubled FROM worst WHERE delayed > 0
),
shown AS (
    SELECT subsystem, delayed FROM worst ORDER BY peak_ratio DESC, subsystem LIMIT 24
)
SELECT
    l.t,
    l.subsystem,
    max(l.step_s) AS step_s,
    sum(l.nvs_delay_count) / sum(l.write_count) AS delayed_ratio,
    max(s.delayed) AS delayed,
    max(c.troubled) AS troubled
FROM local AS l
JOIN shown AS s ON s.subsystem = l.subsystem
CROSS JOIN troubled AS c
WHERE l.write_count > 0 AND l.nvs_delay_count IS NOT NULL
GROUP BY l.t, l.subsystem
ORDER BY l.subsystem, l.t

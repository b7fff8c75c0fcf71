-- title: Writes to subsystems, with the box whose NVS they fill
-- grain: one row per subsystem, interval_start
SELECT
    coalesce(b.box, c.subsystem) AS box, c.subsystem, c.interval_start, c.interval_s, c.write_count, c.nvs_delay_count
FROM cache_subsystem_interval c
LEFT {{ join_box_then("b", "c") }}
WHERE c.write_count > 0
ORDER BY c.subsystem, c.interval_start

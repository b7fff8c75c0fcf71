-- title: Delay of a delayed write, by subsystem and interval of the volumes
-- grain: one row per interval_start, interval_s, subsystem
-- columns: interval_start, interval_s, subsystem
-- column each_ms DOUBLE [milliseconds]: Delay of a delayed write, see nvs_delay
-- column each_low_ms DOUBLE [milliseconds]: Its low bound
-- column each_high_ms DOUBLE [milliseconds]: Its high bound
-- note: Apart from _disconnect, because the delay depends on the quiet intervals of the whole lake.
SELECT
    a.interval_start, a.interval_s, n.subsystem,
    avg(n.delay_ms_per_delayed_write) AS each_ms,
    avg(n.delay_ms_per_delayed_write_low) AS each_low_ms,
    avg(n.delay_ms_per_delayed_write_high) AS each_high_ms
FROM shared_alignment a
JOIN nvs_delay n ON n.interval_start = a.other_start AND n.interval_s = a.other_s
WHERE n.nvs_delay_count > 0
GROUP BY a.interval_start, a.interval_s, n.subsystem

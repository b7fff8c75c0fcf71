-- title: Load of waiting volumes in these intervals, with the state of their path and box
-- grain: one row per platform, system, volume, interval
-- column own_read_ratio DOUBLE [ratio 0..1]: Reads of the volume over its reads and writes
-- column in_box DOUBLE [I/Os]: Mean number of I/Os in progress in the box
WITH {{ waiting_volumes() }},
volume_then AS ({{ rows_at("volume_interval", "shown") }}),
headroom_then AS ({{ rows_at("volume_headroom", "shown") }})
SELECT
    s.platform, s.system, s.volume, s.interval_start, s.local_start, s.local_end, s.box, s.io_rate, s.wait_ms,
    s.service_ms, s.exposures, s.own_read_ratio, s.in_box, s.volumes, s.read_ratio,
    l.css_delay_ms, l.cu_busy_delay_ms, i.cmr_ms, e.above_ms AS way_above_ms,
    a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms, a.back_end_best_ms, a.channel_used_ratio
FROM shown s
LEFT JOIN volume_then i ON {{ equal("platform, system, volume, interval_start", "i", "s") }}
LEFT JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "i") }}
LEFT JOIN way_interval e ON {{ equal("platform, system, lcu, interval_start", "e", "i") }}
LEFT JOIN headroom_then a ON {{ equal("platform, system, volume, interval_start", "a", "s") }}
ORDER BY s.platform, s.system, s.volume, s.interval_start

-- title: The volumes of exhausted pools in the worst intervals, with the state of their box
-- grain: one row per platform, system, volume, interval
-- column own_read_ratio DOUBLE [ratio 0..1]: Reads of the volume over its reads and writes
-- column held_ms DOUBLE [milliseconds]: Wait for another system's release, see unfit_interval
-- column in_box DOUBLE [I/Os]: Mean number of I/Os in progress in the box in that interval
WITH {{ dry_pools() }},
lcu_then AS (
    SELECT l.platform, l.system, l.pool, l.lcu, l.interval_start
    FROM lcu_alias_interval l
    JOIN shown s ON {{ equal("platform, system, pool, interval_start", "s", "l") }}
),
volume_then AS (
    SELECT
        l.platform, l.system, l.pool, v.interval_start, v.volume, v.io_rate, v.wait_ms, v.service_ms, v.read_ratio, v.box,
        v.box_interval_start
    FROM box_volume_interval v
    JOIN lcu_then l ON {{ equal("platform, system, lcu, interval_start", "l", "v") }}
),
headroom_then AS ({{ rows_at("volume_headroom", "volume_then") }})
SELECT
    p.platform, p.system, p.pool, p.interval_start, p.volume, p.io_rate, p.wait_ms, p.service_ms,
    p.read_ratio AS own_read_ratio, u.held_ms, a.cmr_ms, a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms,
    a.back_end_ms, a.back_end_best_ms, a.channel_used_ratio,
    p.box, i.in_service AS in_box, i.volumes, i.read_ratio
FROM volume_then p
LEFT JOIN box_interval i ON i.box = p.box AND i.interval_start = p.box_interval_start
LEFT JOIN headroom_then a ON {{ equal("platform, system, volume, interval_start", "a", "p") }}
LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "p") }}
ORDER BY p.platform, p.system, p.pool, p.interval_start, p.volume

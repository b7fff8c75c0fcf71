-- question: closed_load_member
-- title: All volumes of the boxes with closed work, in its worst intervals
-- grain: one row per pool_platform, pool_system, pool, interval, platform, system, volume; one per box, interval, platform, system, volume for volumes with aliases of their own
-- column pool_platform VARCHAR []: Operating system whose pool it is
-- column pool_system VARCHAR []: System whose pool it is
-- column held_ms DOUBLE [milliseconds]: Wait for another system's release, see unfit_interval
-- column is_closed BOOLEAN []: Waits with closed work, for an exposure of its own or for the pool
-- column box_in_service DOUBLE []: I/Os in progress of all volumes in the box, mean of its interval
WITH {{ closed_volumes() }},
{{ closed_pools() }},
-- the boxes of a group's LCUs, where no record shows that they are one
lcu_then AS (
    SELECT l.platform, l.system, l.pool, l.lcu, l.interval_start, r.interval_s
    FROM lcu_alias_interval l
    JOIN pool_hour r ON {{ equal("platform, system, pool, interval_start", "r", "l") }}
),
crowd AS (
    SELECT DISTINCT
        l.platform AS pool_platform, l.system AS pool_system, l.pool, s.box, s.box_interval_start, l.interval_start,
        l.interval_s
    FROM box_volume_interval s
    JOIN lcu_then l ON {{ equal("platform, system, lcu, interval_start", "l", "s") }}
    UNION ALL
    SELECT NULL, NULL, NULL, box, box_interval_start, interval_start, interval_s FROM box_hour
),
looked_at AS (
    SELECT DISTINCT box, box_interval_start, interval_start, interval_s FROM crowd
),
volume_then AS ({{ volumes_at("looked_at") }}),
headroom_then AS ({{ rows_at("volume_headroom", "volume_then") }})
SELECT
    b.pool_platform, b.pool_system, b.pool, s.box, s.interval_start, s.serial, s.control_unit_type, s.platform, s.system,
    s.volume, s.lcu, s.io_rate, s.wait_ms, s.service_ms, u.held_ms, s.in_service, s.queue_length, s.exposures,
    s.is_hyperpav, s.read_ratio,
    CASE WHEN b.pool IS NULL THEN c.volume IS NOT NULL ELSE l.lcu IS NOT NULL END AS is_closed,
    a.cmr_ms, y.above_ms AS way_above_ms, a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms,
    a.back_end_best_ms, a.channel_used_ratio,
    i.in_service AS box_in_service
FROM crowd b
JOIN volume_then s ON s.box = b.box AND s.interval_start = b.interval_start AND s.interval_s = b.interval_s
LEFT JOIN closed_then c ON {{ equal("box, interval_start, platform, system, volume", "c", "s") }}
LEFT JOIN lcu_alias_interval l
    ON l.platform = b.pool_platform AND l.system = b.pool_system AND l.pool = b.pool AND l.interval_start = b.interval_start
    AND l.platform = s.platform AND l.system = s.system AND l.lcu = s.lcu
LEFT JOIN headroom_then a ON {{ equal("platform, system, volume, interval_start", "a", "s") }}
LEFT JOIN box_interval i ON i.box = b.box AND i.interval_start = b.box_interval_start
LEFT JOIN way_interval y ON {{ equal("platform, system, lcu, interval_start", "y", "s") }}
LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "s") }}
ORDER BY b.pool_platform, b.pool_system, b.pool, s.interval_start, s.box, s.system, s.volume

-- title: Systems with full channels, and how long their volumes pend then
-- grain: one row per platform, system
-- column longest_pend_ms DOUBLE [milliseconds]: Pend of the volume that pends longest then, without device busy if that is recorded
-- column is_quick BOOLEAN []: That is no longer than in front of channels with room
WITH {{ full_channel_intervals() }},
each_volume AS (
    SELECT v.platform, v.system, v.volume, {{ mean_of("v.pend_ms - coalesce(v.device_busy_ms, 0)", "v.io_rate") }} AS pend_ms
    FROM volume_interval v
    JOIN bad b ON {{ equal("platform, system, interval_start", "b", "v") }}
    GROUP BY v.platform, v.system, v.volume
    HAVING avg(v.io_rate) >= $io_rate
)
SELECT platform, system, max(pend_ms) AS longest_pend_ms, coalesce(max(pend_ms) < $cmr_above_ms, FALSE) AS is_quick
FROM each_volume
GROUP BY platform, system
ORDER BY platform, system

-- reach: a day
-- title: I/Os of a logical control unit on each channel path, mapped to the intervals of its devices
-- grain: one row per platform, system, interval_start, lcu, channel_path
-- columns: platform, system
-- column interval_start TIMESTAMP [UTC]: Start of the device interval, see device_alignment; the path's own where the LCU has no devices then
-- columns: lcu, channel_path
-- column taken_rate DOUBLE [per second]: I/Os that took this path, mean over the path's intervals
-- column cmr_ms DOUBLE [milliseconds]: Mean initial command response time on this path, weighted by the I/Os
WITH aligned AS (
    SELECT l.platform, l.system, l.lcu, l.interval_start, a.other_start, a.other_s
    FROM lcu_interval l
    JOIN device_alignment a ON {{ equal("platform, system, interval_start", "a", "l") }}
),
placed AS (
    SELECT
        p.platform, p.system, p.lcu, p.channel_path, p.interval_s, p.taken_rate, p.cmr_ms,
        coalesce(a.interval_start, p.interval_start) AS device_start,
        p.taken_rate * p.interval_s AS taken_count
    FROM lcu_path_interval p
    LEFT JOIN aligned a ON {{ equal("platform, system, lcu", "a", "p") }}
        AND a.other_start = p.interval_start AND a.other_s = p.interval_s
)
SELECT
    platform, system,
    device_start AS interval_start,
    lcu, channel_path,
    sum(taken_count) / nullif(sum(CASE WHEN taken_rate IS NOT NULL THEN interval_s END), 0) AS taken_rate,
    {{ mean_of("cmr_ms", "taken_count") }} AS cmr_ms
FROM placed
GROUP BY platform, system, device_start, lcu, channel_path

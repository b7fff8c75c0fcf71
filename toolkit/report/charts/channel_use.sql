-- title: How busy the 30 busiest channel paths are
-- grain: one row per platform, system, channel_path
-- column path VARCHAR []: System and channel path
-- columns: system, channel_path
-- column type VARCHAR []: Channel path acronym
-- column peak_ratio DOUBLE [ratio 0..1]: Busy in the worst interval
-- column peak_at TIMESTAMP []: Start of that interval, local time
-- column mean_ratio DOUBLE [ratio 0..1]: Busy over the span
SELECT
    system || ' channel path ' || channel_path AS path, system, channel_path, max(type) AS type,
    max(greatest(busy_ratio, bus_busy_ratio)) AS peak_ratio,
    max_by(local_start, peak_order(greatest(busy_ratio, bus_busy_ratio), local_start)) AS peak_at,
    sum(greatest(busy_ratio, bus_busy_ratio) * interval_s) / sum(interval_s) AS mean_ratio
FROM channel_interval
WHERE busy_ratio IS NOT NULL AND interval_s > 0
GROUP BY platform, system, channel_path
HAVING max(greatest(busy_ratio, bus_busy_ratio)) > 0
ORDER BY peak_ratio DESC, system, channel_path
LIMIT 30

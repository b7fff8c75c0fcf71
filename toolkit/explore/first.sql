-- title: The longest wait of each volume, as a first statement to change
-- grain: one row per system, volume
-- columns: volume, system
-- column wait_ms DOUBLE [milliseconds]: Longest mean wait of an interval
SELECT volume, system, max(wait_ms) AS wait_ms
FROM volume_interval
GROUP BY volume, system
ORDER BY wait_ms DESC
LIMIT 20

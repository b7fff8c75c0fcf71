-- title: Location of each volume and LCU, and its wait over the whole span
-- grain: one row per kind, name, system
-- column kind VARCHAR []: volume or lcu
-- column name VARCHAR []: Volume serial or LCU
-- columns: system, lcu, wait_ms
-- column wait_p95_ms DOUBLE [milliseconds]: IOSQ per I/O in all but a twentieth of the intervals
SELECT 'volume' AS kind, volume AS name, system, lcu, wait_ms, wait_p95_ms FROM pav_candidate
UNION ALL
SELECT
    'lcu' AS kind, lcu AS name, system, lcu,
    sum(io_rate * interval_s * wait_ms) / nullif(sum(io_rate * interval_s), 0) AS wait_ms, NULL AS wait_p95_ms
FROM lcu_interval
GROUP BY platform, system, lcu
ORDER BY kind, name, system

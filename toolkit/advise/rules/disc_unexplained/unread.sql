-- title: Since when systems without records do I/Os to the subsystems of an LCU, and the share of the systems read
-- grain: one row per platform, system, lcu
-- column unread_start TIMESTAMP [local time]: Start of the first interval in which the systems read do too few of the I/Os that the box counts
-- column read_then DOUBLE [ratio 0..1]: Their share of these I/Os in such intervals
-- column read_else DOUBLE [ratio 0..1]: The same in all others; NULL without any
WITH placed AS (
    SELECT DISTINCT platform, system, coalesce(lcu, '') AS lcu, subsystem FROM volume_box WHERE subsystem IS NOT NULL
)
SELECT
    p.platform, p.system, p.lcu,
    min(CASE WHEN n.coverage_ratio < $read_ratio THEN n.local_start END) AS unread_start,
    avg(CASE WHEN n.coverage_ratio < $read_ratio THEN n.coverage_ratio END) AS read_then,
    avg(CASE WHEN n.coverage_ratio >= $read_ratio THEN least(n.coverage_ratio, 1) END) AS read_else
FROM placed p
JOIN nvs_delay n ON n.subsystem = p.subsystem
GROUP BY p.platform, p.system, p.lcu
HAVING min(n.coverage_ratio) < $read_ratio
ORDER BY p.platform, p.system, p.lcu

-- title: When the 30 volumes that lose most time lost it
-- grain: one row per platform, system, volume, t
-- columns: label, volume, system, t, step_s, lost_s
-- column lost_ms DOUBLE [milliseconds]: Response time without conn per I/O
-- column most_ms DOUBLE [milliseconds]: The same in the interval of the step with the most
-- columns: most_at
-- column most_rate DOUBLE [per second]: I/Os in it
WITH local AS (
    {{ steps_of("volume_interval") }}
),
top AS (
    SELECT platform, system, volume, sum(io_rate * (response_ms - conn_ms) * interval_s) / 1000 AS lost_s
    FROM volume_interval
    WHERE io_rate > 0 AND interval_s > 0 AND response_ms - conn_ms IS NOT NULL
    GROUP BY platform, system, volume
    ORDER BY lost_s DESC, volume, system, platform
    LIMIT 30
),
step AS (
    SELECT
        l.platform, l.system, l.volume, l.t, max(l.step_s) AS step_s, max(top.lost_s) AS lost_s,
        sum(l.io_rate * (l.response_ms - l.conn_ms) * l.interval_s) / sum(l.io_rate * l.interval_s) AS lost_ms,
        max(l.response_ms - l.conn_ms) AS most_ms,
        max_by(l.local_start, peak_order(l.response_ms - l.conn_ms, l.local_start)) AS most_at,
        max_by(l.io_rate, peak_order(l.response_ms - l.conn_ms, l.local_start)) AS most_rate
    FROM local AS l
    JOIN top ON top.platform = l.platform AND top.system = l.system AND top.volume = l.volume
    WHERE l.io_rate > 0 AND l.interval_s > 0 AND l.response_ms - l.conn_ms IS NOT NULL
    GROUP BY l.platform, l.system, l.volume, l.t
)
SELECT
    CASE
        WHEN (SELECT count(DISTINCT system) FROM volume_interval) > 1 THEN volume || ' on ' || system ELSE volume
    END AS label,
    volume, system, t, step_s, lost_s, lost_ms, most_ms, most_at, most_rate
FROM step
ORDER BY lost_s DESC, label, t

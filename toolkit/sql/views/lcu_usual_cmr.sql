-- view: lcu_usual_cmr
-- layer: derived
-- title: Command response time of LCUs compared with their own best intervals, and that of other LCUs
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu, io_rate, cmr_ms
-- column own_ms DOUBLE [milliseconds]: The same in the fastest quarter of the LCU's intervals: what the path achieves at its best
-- column others_ms DOUBLE [milliseconds]: The same of the system's other LCUs in that interval, median
-- columns: wait_ms, response_ms
-- column cu_busy_ratio DOUBLE [ratio 0..1]: Share of the attempts to start that met a busy control unit
-- columns: cu_busy_delay_ms, utc_offset_s
-- note: own_ms and others_ms are made of intervals with 10 I/Os per second or more.
WITH counted AS (
    SELECT platform, system, lcu, interval_start, cmr_ms
    FROM lcu_interval
    WHERE io_rate >= 10 AND cmr_ms IS NOT NULL
),
best AS (
    {{ best_of("cmr_ms", "counted", "platform, system, lcu") }}
),
others AS (
    SELECT
        m.platform, m.system, m.lcu, m.interval_start,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY o.cmr_ms) AS others_ms
    FROM counted m
    JOIN counted o
        ON o.platform = m.platform AND o.system = m.system AND o.interval_start = m.interval_start AND o.lcu <> m.lcu
    GROUP BY m.platform, m.system, m.lcu, m.interval_start
)
SELECT
    l.*,
    o.best_ms AS own_ms,
    p.others_ms
FROM lcu_interval l
LEFT JOIN best o ON o.platform = l.platform AND o.system = l.system AND o.lcu = l.lcu
LEFT JOIN others p
    ON p.platform = l.platform AND p.system = l.system AND p.lcu = l.lcu AND p.interval_start = l.interval_start
WHERE l.cmr_ms IS NOT NULL

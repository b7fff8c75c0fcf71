-- reach: a day
-- title: What delays the path to LCUs, with the command response time of the system's other LCUs
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu, io_rate
-- columns: way_ms, cmr_ms, rest_ms, others_ms, cu_queue_ms, wait_ms, service_ms, response_ms, cu_busy_ratio
-- columns: cu_busy_delay_ms, utc_offset_s
WITH counted AS (
    SELECT platform, system, lcu, interval_start, cmr_ms
    FROM lcu_interval
    WHERE io_rate >= 10 AND cmr_ms IS NOT NULL
),
others AS (
    SELECT
        m.platform, m.system, m.lcu, m.interval_start,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY o.cmr_ms) AS others_ms
    FROM counted m
    JOIN counted o ON {{ equal("platform, system, interval_start", "o", "m") }} AND o.lcu <> m.lcu
    GROUP BY m.platform, m.system, m.lcu, m.interval_start
),
queued AS (
    SELECT platform, system, interval_start, lcu, {{ mean_of("cu_queue_ms", "io_rate") }} AS cu_queue_ms
    FROM volume_interval
    WHERE cu_queue_ms IS NOT NULL AND lcu IS NOT NULL
    GROUP BY platform, system, interval_start, lcu
)
SELECT
    l.*,
    at_least_0(l.pend_ms - l.device_busy_ms) AS way_ms,
    at_least_0(l.pend_ms - l.device_busy_ms - l.cmr_ms) AS rest_ms,
    o.others_ms,
    q.cu_queue_ms
FROM lcu_interval l
LEFT JOIN others o ON {{ equal("platform, system, lcu, interval_start", "o", "l") }}
LEFT JOIN queued q ON {{ equal("platform, system, lcu, interval_start", "q", "l") }}

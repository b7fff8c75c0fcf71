-- view: way_interval
-- layer: derived
-- title: Path delay of LCUs compared with their own best intervals
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu, io_rate
-- column way_ms DOUBLE [milliseconds]: Mean pend without device busy: what all volumes of an LCU have in common
-- column above_ms DOUBLE [milliseconds]: Excess over the LCU's best intervals; 0 if below it, NULL if that is unknown
-- columns: cmr_ms
-- column rest_ms DOUBLE [milliseconds]: Part of way_ms that is no command response time either: channel, director port, control unit; NULL where command response time isn't recorded
-- column usual_rest_ms DOUBLE [milliseconds]: The same in the LCU's best intervals
-- columns: cu_queue_ms, wait_ms, service_ms, response_ms, utc_offset_s
-- note: Best intervals are those with 10 I/Os per second or more.
WITH queued AS (
    SELECT platform, system, interval_start, lcu, {{ mean_of("cu_queue_ms", "io_rate") }} AS cu_queue_ms
    FROM volume_interval
    WHERE cu_queue_ms IS NOT NULL AND lcu IS NOT NULL
    GROUP BY platform, system, interval_start, lcu
),
way AS (
    SELECT
        platform, system, interval_start, interval_s, lcu, io_rate, wait_ms, cmr_ms, service_ms, response_ms, utc_offset_s,
        at_least_0(pend_ms - device_busy_ms) AS way_ms,
        at_least_0(pend_ms - device_busy_ms - cmr_ms) AS rest_ms
    FROM lcu_interval
    WHERE pend_ms IS NOT NULL AND device_busy_ms IS NOT NULL
),
counted AS (
    SELECT * FROM way WHERE io_rate >= 10
),
parted AS (
    SELECT * FROM counted WHERE rest_ms IS NOT NULL
),
best_way AS (
    {{ best_of("way_ms", "counted", "platform, system, lcu") }}
),
best_rest AS (
    {{ best_of("rest_ms", "parted", "platform, system, lcu") }}
)
SELECT
    w.*,
    at_least_0(w.way_ms - b.best_ms) AS above_ms,
    r.best_ms AS usual_rest_ms,
    q.cu_queue_ms
FROM way w
LEFT JOIN best_way b ON b.platform = w.platform AND b.system = w.system AND b.lcu = w.lcu
LEFT JOIN best_rest r ON r.platform = w.platform AND r.system = w.system AND r.lcu = w.lcu
LEFT JOIN queued q
    ON q.platform = w.platform AND q.system = w.system AND q.lcu = w.lcu AND q.interval_start = w.interval_start

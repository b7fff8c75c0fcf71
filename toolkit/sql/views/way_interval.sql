-- stored: no
-- title: Path delay of LCUs compared with their own best intervals
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu, io_rate, way_ms
-- column above_ms DOUBLE [milliseconds]: Excess over the LCU's best intervals; 0 if below it, NULL if that is unknown
-- columns: cmr_ms, rest_ms
-- column usual_rest_ms DOUBLE [milliseconds]: The same in the LCU's best intervals
-- columns: cu_queue_ms, wait_ms, service_ms, response_ms, utc_offset_s
-- note: Best intervals are those with 10 I/Os per second or more.
SELECT
    w.*,
    at_least_0(w.way_ms - b.best_ms) AS above_ms,
    r.best_ms AS usual_rest_ms
FROM _lcu_way w
LEFT JOIN _lcu_best b ON {{ equal("platform, system, lcu", "b", "w") }} AND b.part = 'way_ms'
LEFT JOIN _lcu_best r ON {{ equal("platform, system, lcu", "r", "w") }} AND r.part = 'rest_ms'
WHERE w.way_ms IS NOT NULL

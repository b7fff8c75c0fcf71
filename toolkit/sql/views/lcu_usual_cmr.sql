-- stored: no
-- title: Command response time of LCUs compared with their own best intervals, and that of other LCUs
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu, io_rate, cmr_ms
-- column own_ms DOUBLE [milliseconds]: The same in the fastest quarter of the LCU's intervals: what the path achieves at its best
-- columns: others_ms, wait_ms, response_ms
-- column cu_busy_ratio DOUBLE [ratio 0..1]: Share of the attempts to start that met a busy control unit
-- columns: cu_busy_delay_ms, utc_offset_s
-- note: own_ms and others_ms are made of intervals with 10 I/Os per second or more.
SELECT w.*, b.best_ms AS own_ms
FROM _lcu_way w
LEFT JOIN _lcu_best b ON {{ equal("platform, system, lcu", "b", "w") }} AND b.part = 'cmr_ms'
WHERE w.cmr_ms IS NOT NULL

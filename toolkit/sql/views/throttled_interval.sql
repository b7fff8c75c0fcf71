-- reach: a day
-- title: LCUs with PAV alias throttling, and whether it explains their IOSQ time
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu, io_rate, wait_ms, response_ms, queue_length
-- column throttled_count BIGINT [events in the interval]: I/Os delayed on purpose = SMF74ATD
-- column each_ms DOUBLE [milliseconds]: What each of them would have waited if no other I/O waited = 1000 * queue_length * interval_s / throttled_count
-- column explains_wait BOOLEAN []: That is at most 100 ms: more would be no throttling but another cause
-- columns: utc_offset_s
SELECT
    *,
    alias_throttled_count AS throttled_count,
    1000 * queue_length * interval_s / alias_throttled_count AS each_ms,
    1000 * queue_length * interval_s / alias_throttled_count <= 100 AS explains_wait
FROM lcu_interval
WHERE alias_throttled_count > 0 AND queue_length IS NOT NULL

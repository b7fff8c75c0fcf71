-- reach: a day
-- title: Days of volumes that another system may have held, or whose measurements may contradict themselves
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system
-- column interval_start TIMESTAMP [UTC]: Start of the first such interval of the day
-- columns: volume
-- note: See unfit_interval, which is made of it: the intervals of other volumes need not be compared with those around.
WITH limits AS (
    {{ unfit_limits() }}
)
SELECT v.platform, v.system, min(v.interval_start) AS interval_start, v.volume
FROM volume_interval v
CROSS JOIN limits l
WHERE v.device_busy_ms >= l.least_ms OR v.in_service > l.most * v.exposures
    OR (v.platform = 'z/VM' AND v.queue_length >= greatest(1, l.idle_queue * v.in_service)) OR (v.device_busy_ms IS NULL AND v.cmr_ms IS NULL)
GROUP BY v.platform, v.system, CAST(v.interval_start AS DATE), v.volume

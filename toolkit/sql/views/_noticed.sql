-- view: _noticed
-- layer: derived
-- reach: a day
-- title: Days of volumes that another system may have held, or whose measurements may contradict themselves
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system
-- column interval_start TIMESTAMP [UTC]: Start of the first such interval of the day
-- columns: volume
-- note: See unfit_interval, which is made of it: the intervals of other volumes need not be compared with those around.
SELECT platform, system, min(interval_start) AS interval_start, volume
FROM volume_interval
-- least_ms and most of unfit_interval
WHERE device_busy_ms >= 0.1 OR in_service > 1.1 * exposures OR (device_busy_ms IS NULL AND cmr_ms IS NULL)
GROUP BY platform, system, CAST(interval_start AS DATE), volume

-- title: Volumes with far more starts for recovery from errors than most others, by LCU the one with most
-- grain: one row per platform, system, lcu
-- column failing VARCHAR []: Volume with most of them
-- column recoveries DOUBLE [events]: Its starts for recovery from errors
-- column recovered_start TIMESTAMP [local time]: Start of the first interval with any
WITH counted AS (
    SELECT
        platform, system, coalesce(lcu, '') AS lcu, volume,
        sum(recovery_count) AS recoveries, min(CASE WHEN recovery_count > 0 THEN local_start END) AS recovered_start
    FROM volume_interval
    WHERE recovery_count IS NOT NULL
    GROUP BY platform, system, coalesce(lcu, ''), volume
)
SELECT
    platform, system, lcu, max_by(volume, name_order(recoveries, volume)) AS failing, max(recoveries) AS recoveries,
    max_by(recovered_start, name_order(recoveries, volume)) AS recovered_start
FROM counted
GROUP BY platform, system, lcu
HAVING max(recoveries) > $above_factor * percentile_cont(0.5) WITHIN GROUP (ORDER BY recoveries)
ORDER BY platform, system, lcu

-- title: Volumes with far more starts for recovery from errors than most others of the system
-- grain: one row per platform, system, volume
-- column recoveries DOUBLE [events]: Starts for recovery from errors
-- column first_count DOUBLE [events]: Those of the first interval with any
-- column last_count DOUBLE [events]: Those of the last one
WITH counted AS (
    SELECT
        platform, system, volume, interval_start, interval_s, local_start, local_end, recovery_count, recovery_count AS lost,
        sum(recovery_count) OVER (PARTITION BY platform, system, volume) AS recoveries
    FROM volume_interval
    WHERE recovery_count IS NOT NULL
),
usual AS (
    SELECT platform, system, percentile_cont(0.5) WITHIN GROUP (ORDER BY recoveries) AS usual_count
    FROM (SELECT DISTINCT platform, system, volume, recoveries FROM counted) AS each
    GROUP BY platform, system
),
bad AS (
    SELECT c.*
    FROM counted c
    JOIN usual u ON u.platform = c.platform AND u.system = c.system
    WHERE c.recovery_count > 0 AND c.recoveries >= $recoveries AND c.recoveries > $above_factor * u.usual_count
),
{% call incident("bad", "platform, system, volume") %}
    sum(recovery_count) AS recoveries,
    max_by(recovery_count, peak_order(-unix_micros(interval_start), interval_start)) AS first_count,
    max_by(recovery_count, peak_order(unix_micros(interval_start), interval_start)) AS last_count
{% endcall %}
ORDER BY a.platform, a.system, a.volume

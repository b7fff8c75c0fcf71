-- title: Total measured time of each system, in days
-- grain: one row per platform, system
-- columns: platform, system
-- column days DOUBLE [days]: Time measured, in units of all hours of the day that any day has; of intervals of devices, or of cache statistics or of I/O queuing where these are more
-- column recorded_s DOUBLE [s]: Time measured, of the same intervals
-- note: Time lost per day is a mean over the longest of these spans, so work on one morning a month loses little per day.
-- note: Ten hours of each of five days are five days: what is never measured loses nothing that could be known.
WITH recorded AS (
    SELECT 'device' AS source, platform, system, interval_start, interval_s FROM measured_interval
    UNION ALL
    SELECT 'cache', platform, system, interval_start, max(interval_s)
    FROM cache_subsystem_interval
    GROUP BY platform, system, interval_start
    UNION ALL
    SELECT 'queue', platform, system, interval_start, max(interval_s)
    FROM lcu_queue
    GROUP BY platform, system, interval_start
),
hourly AS (
    SELECT
        source, platform, system, hour(interval_start) AS hour, CAST(interval_start AS DATE) AS day,
        sum(interval_s) AS span_s
    FROM recorded
    WHERE interval_s > 0
    GROUP BY source, platform, system, hour(interval_start), CAST(interval_start AS DATE)
),
by_hour AS (
    SELECT source, platform, system, hour, sum(span_s) AS span_s, max(span_s) AS most_s
    FROM hourly
    GROUP BY source, platform, system, hour
),
summed AS (
    SELECT source, platform, system, sum(span_s) / least(sum(most_s), 86400) AS days, sum(span_s) AS recorded_s
    FROM by_hour
    GROUP BY source, platform, system
)
SELECT platform, system, max(days) AS days, max(recorded_s) AS recorded_s FROM summed GROUP BY platform, system

-- view: measured_span
-- layer: derived
-- title: Total measured time of each system
-- grain: one row per platform, system
-- columns: platform, system
-- column span_s DOUBLE [s]: Sum of the lengths of its intervals of devices; of cache statistics or of I/O queuing where these are longer
-- note: Time lost per day is a mean over the longest of these spans, so work on one morning a month loses little per day.
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
summed AS (
    SELECT source, platform, system, sum(interval_s) AS span_s
    FROM recorded
    WHERE interval_s > 0
    GROUP BY source, platform, system
)
SELECT platform, system, max(span_s) AS span_s FROM summed GROUP BY platform, system

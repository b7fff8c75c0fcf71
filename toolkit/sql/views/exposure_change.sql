-- title: Volumes whose number of exposures changed, with their load before and after
-- grain: one row per platform, system, volume
-- columns: platform, system, volume
-- column interval_start TIMESTAMP [UTC]: Start of the first interval since
-- columns: interval_s
-- column exposures_before DOUBLE []: Base plus aliases in the last interval before, a whole number
-- column before_rate DOUBLE [per second]: Highest rate of the intervals before with that number of exposures
-- column before_outstanding DOUBLE []: Highest interval mean of I/Os in progress or waiting, before
-- column exposures_now DOUBLE []: Base plus aliases in every interval since
-- column is_new BOOLEAN []: It never had that many before: no aliases that come and go
-- column intervals BIGINT []: Intervals since with I/O
-- column io_rate DOUBLE [per second]: Highest rate since, mean of an interval
-- column queue_length DOUBLE []: Longest queue since
-- column outstanding DOUBLE []: Highest interval mean of I/Os in progress or waiting, after
-- column response_ms DOUBLE [milliseconds]: Mean response in the interval since with the highest rate
-- columns: utc_offset_s
-- note: Only volumes without HyperPAV. If WLM moves aliases between volumes, "since" is the last such move.
WITH varied AS (
    SELECT platform, system, volume
    FROM _volume_day
    GROUP BY platform, system, volume
    HAVING min(least_exposures) < max(most_exposures)
),
counted AS (
    SELECT
        v.*,
        v.in_service + v.queue_length AS outstanding,
        round(coalesce(v.exposures, 1)) AS exposures_then
    FROM volume_interval v
    JOIN varied a ON a.platform = v.platform AND a.system = v.system AND a.volume = v.volume
    WHERE v.io_rate > 0 AND v.is_hyperpav IS NOT TRUE
),
last_count AS (
    SELECT platform, system, volume, max_by(exposures_then, interval_start) AS exposures_now
    FROM counted
    GROUP BY platform, system, volume
),
last_other AS (
    SELECT
        c.platform, c.system, c.volume, l.exposures_now,
        max(c.interval_start) AS other_start,
        max_by(c.exposures_then, c.interval_start) AS exposures_before
    FROM counted c
    JOIN last_count l ON l.platform = c.platform AND l.system = c.system AND l.volume = c.volume
    WHERE c.exposures_then <> l.exposures_now
    GROUP BY c.platform, c.system, c.volume, l.exposures_now
),
before AS (
    SELECT
        o.platform, o.system, o.volume,
        max(CASE WHEN c.exposures_then = o.exposures_before THEN c.io_rate END) AS io_rate,
        max(CASE WHEN c.exposures_then = o.exposures_before THEN c.outstanding END) AS outstanding,
        NOT bool_or(c.exposures_then = o.exposures_now) AS is_new
    FROM counted c
    JOIN last_other o ON {{ equal("platform, system, volume", "o", "c") }} AND o.other_start >= c.interval_start
    GROUP BY o.platform, o.system, o.volume
)
SELECT
    o.platform, o.system, o.volume,
    min(c.interval_start) AS interval_start,
    min_by(c.interval_s, c.interval_start) AS interval_s,
    o.exposures_before,
    b.io_rate AS before_rate,
    b.outstanding AS before_outstanding,
    o.exposures_now, b.is_new,
    count(*) AS intervals,
    {{ each("max(c.NAME)", "io_rate queue_length outstanding") }},
    max_by(c.response_ms, peak_order(c.io_rate, c.interval_start)) AS response_ms,
    min_by(c.utc_offset_s, c.interval_start) AS utc_offset_s
FROM counted c
JOIN last_other o ON {{ equal("platform, system, volume", "o", "c") }} AND o.other_start < c.interval_start
JOIN before b ON b.platform = o.platform AND b.system = o.system AND b.volume = o.volume
GROUP BY
    o.platform, o.system, o.volume, o.exposures_before, b.io_rate, b.outstanding, o.exposures_now, b.is_new

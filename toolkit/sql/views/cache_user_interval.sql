-- reach: a day and dimensions
-- title: I/O of systems to the devices of a subsystem during its cache intervals
-- grain: one row per platform, system, interval_start, subsystem
-- columns: platform, system, interval_start, subsystem
-- column io_rate DOUBLE [per second]: I/Os of the devices, all systems read
-- column disc_ms_rate DOUBLE [milliseconds per second]: Disconnect time of the devices, all systems read
-- column longest_ms DOUBLE [milliseconds]: Disconnect of the volume with the longest, of volumes with an I/O per second
-- column doubt VARCHAR []: Why that is not known to be of the box that counted: several boxes, more I/Os than counted; NULL where nothing says so
-- note: several boxes: records name the subsystem id in several boxes at once (see box_subsystem), and a system other than the gatherer uses such devices, of an unknown box.
-- note: more I/Os than counted: the systems did a tenth more I/Os than the control unit counted in all the intervals that theirs reach into, without a gap. Different lengths and clocks of intervals cannot cause this. I/Os without data, such as reserves, are not counted, but are only a few per cent. The likely cause is two boxes with one id and no serial number in any record.
WITH used AS (
    SELECT
        platform, system, interval_start,
        max(interval_s) AS interval_s,
        subsystem,
        sum(io_rate) AS io_rate,
        sum(io_rate * disc_ms) AS disc_ms_rate,
        -- of volumes that do next to nothing a single I/O may be as long as it likes
        max(CASE WHEN io_rate >= 1 THEN disc_ms END) AS longest_ms
    FROM volume_interval
    WHERE subsystem IS NOT NULL
    GROUP BY platform, system, interval_start, subsystem
),
by_system AS (
    SELECT
        a.cache_platform, a.cache_system, a.cache_start, u.subsystem, u.platform, u.system,
        sum(u.io_rate * u.interval_s) AS io_count,
        sum(u.io_rate * u.interval_s) / nullif(sum(u.interval_s), 0) AS io_rate,
        sum(u.disc_ms_rate * u.interval_s) / nullif(sum(u.interval_s), 0) AS disc_ms_rate,
        max(u.longest_ms) AS longest_ms,
        min(unix_micros(u.interval_start)) AS start_us,
        max(unix_micros(u.interval_start) + CAST(u.interval_s * 1000000 AS BIGINT)) AS end_us
    FROM used u
    JOIN cache_alignment a ON {{ equal("platform, system, interval_start", "a", "u") }}
    GROUP BY a.cache_platform, a.cache_system, a.cache_start, u.subsystem, u.platform, u.system
),
by_all AS (
    SELECT
        cache_platform AS platform, cache_system AS system, cache_start AS interval_start, subsystem,
        {{ each("sum(NAME)", "io_count io_rate disc_ms_rate") }},
        max(longest_ms) AS longest_ms,
        bool_or(y.platform <> cache_platform OR y.system <> cache_system) AS is_shared,
        min(start_us) AS start_us,
        max(end_us) AS end_us
    FROM by_system y
    GROUP BY cache_platform, cache_system, cache_start, subsystem
),
counted AS (
    SELECT
        subsystem, interval_start, interval_s, platform, system, io_count,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT) AS end_us
    FROM cache_subsystem_interval
    WHERE interval_s > 0
),
-- few are suspect, and only these are compared with all that was counted around them
suspect AS (
    SELECT DISTINCT u.subsystem, u.start_us, u.end_us
    FROM by_all u
    JOIN counted c
        ON {{ equal("platform, system, interval_start, subsystem", "c", "u") }}
    WHERE u.io_rate > 1.1 * c.io_count / c.interval_s
),
longest AS (
    SELECT greatest(coalesce(max(s.end_us - s.start_us), 0), max(c.length_us)) AS slot_us
    FROM suspect s
    CROSS JOIN (SELECT max(end_us - start_us) AS length_us FROM counted) AS c
),
around AS (
    SELECT s.subsystem, s.start_us, s.end_us, sum(c.io_count) AS io_count
    FROM ({{ slots_of("(SELECT * FROM suspect CROSS JOIN longest)") }}) AS s
    JOIN ({{ slots_of("(SELECT * FROM counted CROSS JOIN longest)") }}) AS c
        ON c.subsystem = s.subsystem
        AND c.slot = s.slot
        -- once, where it begins
        AND floor(greatest(s.start_us, c.start_us) / s.slot_us) = s.slot
        -- what reaches in by less is a clock that is not quite the other's
        AND least(s.end_us, c.end_us) - greatest(s.start_us, c.start_us) > 0.02 * (c.end_us - c.start_us)
    GROUP BY s.subsystem, s.start_us, s.end_us
    HAVING sum(least(s.end_us, c.end_us) - greatest(s.start_us, c.start_us)) >= 0.95 * (s.end_us - s.start_us)
)
SELECT
    u.*,
    CASE
        WHEN b.boxes IS NOT NULL AND u.is_shared THEN 'several boxes'
        WHEN u.io_count > 1.1 * r.io_count THEN 'more I/Os than counted'
    END AS doubt
FROM by_all u
LEFT {{ join_box_then("b", "u") }}
LEFT JOIN around r ON r.subsystem = u.subsystem AND r.start_us = u.start_us AND r.end_us = u.end_us

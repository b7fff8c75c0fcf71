-- title: Command response time, or pend, of LCUs above the limits of slow_path, by hour, box and system
-- grain: one row per box, system, t
-- parameter $io_rate DOUBLE [per s]: I/Os of an LCU
-- parameter $above_ms DOUBLE [milliseconds]: Above the usual value
-- parameter $above_factor DOUBLE []: Times the usual value
-- parameter $small_ms DOUBLE [milliseconds]: Above the usual value on days on which that costs dear_h
-- parameter $dear_h DOUBLE [hours]: I/O time that an LCU loses in a day by it
-- columns: box, system, t
-- column reason VARCHAR []: path
-- column lost_s DOUBLE [s]: Time above the usual value, summed over all I/Os
-- column subjects BIGINT []: LCUs with such an interval
-- column worst VARCHAR []: The one that lost most by it
-- note: The limits alone: a rule also looks at how long it lasts, and for another cause.
WITH {{ slow_ways() }},
summed AS (
    SELECT
        coalesce(b.box, s.system) AS box, s.system, CAST(date_trunc('hour', s.local_start) AS TIMESTAMP) AS t, s.lcu,
        sum(s.lost) AS lost_s
    FROM bad s
    LEFT JOIN lcu_box b ON b.platform = s.platform AND b.system = s.system AND b.lcu = s.lcu
    GROUP BY b.box, s.system, s.lcu, date_trunc('hour', s.local_start)
)
SELECT box, system, t, 'path' AS reason, sum(lost_s) AS lost_s, count(*) AS subjects, max_by(lcu, name_order(lost_s, lcu)) AS worst
FROM summed
GROUP BY box, system, t
ORDER BY box, system, t

-- title: I/Os that the box counts for the volumes of slow ranks, and those of the systems read, in bad hours and in good ones
-- grain: one row per box, unit, is_rank
-- column box_rate DOUBLE [per second]: Counted by the box (74.5) in hours that are bad for the most part
-- column box_usual_rate DOUBLE [per second]: The same in hours without a bad interval
-- column host_rate DOUBLE [per second]: Those of the systems read (74.1) in these bad hours
-- column host_usual_rate DOUBLE [per second]: The same in these good hours
-- column has_unread BOOLEAN []: Most of what is more comes from systems without records
WITH {{ slow_ranks() }},
pool_hour AS (
    SELECT
        box, unit, is_rank, extent_pool, {{ hour_of("interval_start") }} AS slot,
        avg(CASE WHEN is_bad THEN 1.0 ELSE 0.0 END) AS bad_ratio
    FROM compared
    GROUP BY box, unit, is_rank, extent_pool, {{ hour_of("interval_start") }}
),
-- of other pools nothing is asked
late_pool AS (
    SELECT DISTINCT box, extent_pool FROM bad
),
counted AS (
    SELECT b.box, c.extent_pool, {{ hour_of("c.interval_start") }} AS slot, sum(c.io_count) AS ios
    FROM cache_interval c
    {{ join_box_then("b", "c") }}
    JOIN late_pool l ON l.box = b.box AND l.extent_pool = c.extent_pool
    WHERE c.io_count > 0
    GROUP BY b.box, c.extent_pool, {{ hour_of("c.interval_start") }}
),
started AS (
    SELECT b.box, v.extent_pool, {{ hour_of("v.interval_start") }} AS slot, sum(v.io_rate * v.interval_s) AS ios
    FROM volume_interval v
    {{ join_box_then("b", "v") }}
    JOIN late_pool l ON l.box = b.box AND l.extent_pool = v.extent_pool
    WHERE v.io_rate > 0
    GROUP BY b.box, v.extent_pool, {{ hour_of("v.interval_start") }}
),
hourly AS (
    SELECT
        p.box, p.unit, p.is_rank, p.bad_ratio >= 0.5 AS is_bad,
        avg(c.ios) / 3600 AS box_rate, avg(s.ios) / 3600 AS host_rate
    FROM pool_hour p
    JOIN counted c ON {{ equal("box, extent_pool, slot", "c", "p") }}
    JOIN started s ON {{ equal("box, extent_pool, slot", "s", "p") }}
    WHERE p.bad_ratio >= 0.5 OR p.bad_ratio = 0
    GROUP BY p.box, p.unit, p.is_rank, p.bad_ratio >= 0.5
)
SELECT
    box, unit, is_rank, b.box_rate, g.box_rate AS box_usual_rate, b.host_rate, g.host_rate AS host_usual_rate,
    b.box_rate >= $grown * g.box_rate
        AND b.box_rate - b.host_rate - g.box_rate + g.host_rate >= $grown_share * (b.box_rate - g.box_rate) AS has_unread
FROM hourly b
JOIN hourly g USING (box, unit, is_rank)
WHERE b.is_bad AND NOT g.is_bad
ORDER BY box, unit

-- question: rank_saturated_growth
-- title: I/Os of the volumes of slow ranks, then and at the same hours when it was quick, and who brings what is more
-- grain: one row per box, unit
-- column usual_rate DOUBLE [per second]: The same at the same hours of the day when it was not bad
-- column grown_system VARCHAR []: System whose I/Os there grew most
-- column system_rate DOUBLE [per second]: Its I/Os there then
-- column system_usual_rate DOUBLE [per second]: The same at the same hours when it was not bad; 0 where none was measured
-- column grown_volume VARCHAR []: Volume whose I/Os grew most
-- column volume_rate DOUBLE [per second]: Its I/Os then
-- column volume_usual_rate DOUBLE [per second]: The same at the same hours when it was not bad
-- column has_grown BOOLEAN []: Its volumes do clearly more I/Os then
-- column new_system BOOLEAN []: Most of what is more comes from one of several systems
-- column new_volume BOOLEAN []: Most of what is more is on one volume
WITH {{ slow_ranks() }},
-- who works there then, and who did at the same hours of the day when it was not bad
hours AS (
    SELECT DISTINCT box, unit, is_rank, hour(local_start) AS hour_of_day FROM bad
),
looked AS (
    SELECT c.*
    FROM compared c
    JOIN hours h
        ON h.box = c.box AND h.unit = c.unit AND h.is_rank = c.is_rank AND h.hour_of_day = hour(c.local_start)
),
reach AS (
    SELECT box, unit, is_rank, extent_pool, is_bad, interval_start, interval_s,
        {{ hour_of("interval_start") }} AS slot
    FROM looked
    UNION
    SELECT box, unit, is_rank, extent_pool, is_bad, interval_start, interval_s,
        floor((unix_micros(interval_start) + 1e6 * interval_s) / 3.6e9) AS slot
    FROM looked
),
work AS (
    SELECT
        s.box, v.extent_pool, v.system, v.volume,
        v.io_rate * v.interval_s AS ios,
        unix_micros(v.interval_start) + 5e5 * v.interval_s AS middle_us
    FROM volume_interval v
    {{ join_box_then("s", "v") }}
    WHERE v.io_rate > 0
),
spent AS (
    SELECT
        box, unit, is_rank,
        sum(CASE WHEN is_bad THEN interval_s END) AS bad_s,
        sum(CASE WHEN NOT is_bad THEN interval_s END) AS other_s
    FROM looked
    GROUP BY box, unit, is_rank
),
load AS (
    SELECT
        r.box, r.unit, r.is_rank, w.system, w.volume,
        coalesce(sum(CASE WHEN r.is_bad THEN w.ios END) / max(t.bad_s), 0) AS io_rate,
        coalesce(sum(CASE WHEN NOT r.is_bad THEN w.ios END) / max(t.other_s), 0) AS usual_rate
    FROM work w
    JOIN reach r
        ON r.box = w.box AND r.extent_pool = w.extent_pool AND r.slot = floor(w.middle_us / 3.6e9)
        AND unix_micros(r.interval_start) <= w.middle_us
        AND unix_micros(r.interval_start) + 1e6 * r.interval_s > w.middle_us
    JOIN spent t ON t.box = r.box AND t.unit = r.unit AND t.is_rank = r.is_rank AND t.other_s > 0
    GROUP BY r.box, r.unit, r.is_rank, w.system, w.volume
),
by_system AS (
    SELECT
        box, unit, is_rank, system,
        sum(io_rate) AS io_rate, sum(usual_rate) AS usual_rate, sum(io_rate) - sum(usual_rate) AS grown
    FROM load
    GROUP BY box, unit, is_rank, system
),
by_volume AS (
    SELECT
        box, unit, is_rank, volume,
        sum(io_rate) AS io_rate, sum(usual_rate) AS usual_rate, sum(io_rate) - sum(usual_rate) AS grown
    FROM load
    GROUP BY box, unit, is_rank, volume
),
comer AS (
    SELECT
        box, unit, is_rank,
        sum(io_rate) AS io_rate,
        sum(usual_rate) AS usual_rate,
        count(CASE WHEN io_rate > 0 THEN 1 END) AS systems,
        max_by(system, grown) AS grown_system,
        max_by(io_rate, grown) AS system_rate,
        max_by(usual_rate, grown) AS system_usual_rate
    FROM by_system
    GROUP BY box, unit, is_rank
),
riser AS (
    SELECT
        box, unit, is_rank,
        max_by(volume, grown) AS grown_volume,
        max_by(io_rate, grown) AS volume_rate,
        max_by(usual_rate, grown) AS volume_usual_rate
    FROM by_volume
    GROUP BY box, unit, is_rank
)
SELECT
    c.box, c.unit, c.is_rank, c.io_rate, c.usual_rate, c.grown_system, c.system_rate, c.system_usual_rate, r.grown_volume,
    r.volume_rate, r.volume_usual_rate,
    c.io_rate >= $grown * c.usual_rate AS has_grown,
    c.systems > 1 AND c.system_rate - c.system_usual_rate >= $grown_share * (c.io_rate - c.usual_rate) AS new_system,
    r.volume_rate - r.volume_usual_rate >= $grown_share * (c.io_rate - c.usual_rate) AS new_volume
FROM comer c
JOIN riser r ON {{ equal("box, unit, is_rank", "r", "c") }}
ORDER BY c.box, c.unit

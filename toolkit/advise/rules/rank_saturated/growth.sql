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
    JOIN hours h ON {{ equal("box, unit, is_rank", "h", "c") }} AND h.hour_of_day = hour(c.local_start)
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
    JOIN reach r ON {{ equal("box, extent_pool", "r", "w") }} AND r.slot = floor(w.middle_us / 3.6e9)
        AND unix_micros(r.interval_start) <= w.middle_us
        AND unix_micros(r.interval_start) + 1e6 * r.interval_s > w.middle_us
    JOIN spent t ON t.box = r.box AND t.unit = r.unit AND t.is_rank = r.is_rank AND t.other_s > 0
    GROUP BY r.box, r.unit, r.is_rank, w.system, w.volume
),
-- of each system and each volume
part AS (
    SELECT box, unit, is_rank, 'system' AS kind, system AS name, io_rate, usual_rate FROM load
    UNION ALL
    SELECT box, unit, is_rank, 'volume' AS kind, volume AS name, io_rate, usual_rate FROM load
),
summed AS (
    SELECT
        box, unit, is_rank, kind, name,
        sum(io_rate) AS io_rate, sum(usual_rate) AS usual_rate, sum(io_rate) - sum(usual_rate) AS grown
    FROM part
    GROUP BY box, unit, is_rank, kind, name
),
most AS (
    SELECT
        box, unit, is_rank, kind,
        {{ each("sum(NAME)", "io_rate usual_rate") }},
        count(CASE WHEN io_rate > 0 THEN 1 END) AS parts,
        max_by(name, name_order(grown, name)) AS name,
        max_by(io_rate, name_order(grown, name)) AS name_rate,
        max_by(usual_rate, name_order(grown, name)) AS name_usual_rate,
        max(grown) >= $grown_share * (sum(io_rate) - sum(usual_rate)) AS is_most
    FROM summed
    GROUP BY box, unit, is_rank, kind
)
SELECT
    s.box, s.unit, s.is_rank, s.io_rate, s.usual_rate, s.name AS grown_system, s.name_rate AS system_rate,
    s.name_usual_rate AS system_usual_rate, v.name AS grown_volume, v.name_rate AS volume_rate,
    v.name_usual_rate AS volume_usual_rate,
    s.io_rate >= $grown * s.usual_rate AS has_grown,
    s.parts > 1 AND s.is_most AS new_system,
    v.is_most AS new_volume
FROM most s
JOIN most v ON {{ equal("box, unit, is_rank", "v", "s") }} AND v.kind = 'volume'
WHERE s.kind = 'system'
ORDER BY s.box, s.unit

-- title: The channel path and the director port that delay the I/Os of LCUs with a slow path
-- grain: one row per platform, system, lcu
-- column quick_box VARCHAR []: Box with an LCU that answers as fast as ever at these times over all channel paths of the slow one
-- column quick_systems VARCHAR []: Systems to which the box answers as fast as ever at these times over LCUs of the same volumes, separated by |
-- column other_system VARCHAR []: System with the same control unit, by LCU and box or by volumes, whose I/Os grew most then, far above their usual rate and by more than all of this system; NULL for none
-- column other_rate DOUBLE [per second]: Its I/Os there at these times
-- column other_usual DOUBLE [per second]: The same at other times
-- column path_cmr_ms DOUBLE [milliseconds]: Command response time on it
-- column other_paths_ms DOUBLE [milliseconds]: The same on the LCU's other paths, weighted by the I/Os that took them
-- column other_paths BIGINT []: How many these are
-- column slow_path_lcu VARCHAR []: The LCU, if one of its paths is the slow one
WITH {{ slow_ways() }},
by_path AS ({{ cmr_by_path("bad", "platform, system, lcu") }}),
path AS (
    -- the one that is as much slower than the others as a slow LCU is than others
    SELECT *
    FROM (
        SELECT
            platform, system, lcu,
            max_by(channel_path, name_order(cmr_ms, channel_path)) AS channel_path,
            max(cmr_ms) AS cmr_ms,
            count(*) - 1 AS other_paths,
            (sum(taken_rate * cmr_ms) - max_by(taken_rate * cmr_ms, name_order(cmr_ms, channel_path)))
                / nullif(sum(taken_rate) - max_by(taken_rate, name_order(cmr_ms, channel_path)), 0) AS others_ms
        FROM by_path
        WHERE cmr_ms IS NOT NULL
        GROUP BY platform, system, lcu
    ) AS slowest
    WHERE cmr_ms >= others_ms + $above_ms AND cmr_ms >= $above_factor * others_ms
),
behind AS (
    -- a director knows a channel by two digits, whichever channel subsystem it is in
    SELECT b.platform, b.system, b.lcu, p.director, p.port, max(p.kind) AS kind, max(c.channel_path) AS channel_path
    FROM (SELECT DISTINCT platform, system, lcu FROM bad) b
    JOIN (SELECT DISTINCT platform, system, director, port, kind, attached FROM director_port_interval) p
        ON p.platform = b.platform AND p.system = b.system
    LEFT JOIN (SELECT DISTINCT platform, system, lcu, channel_path FROM lcu_path_interval) c
        ON {{ equal("platform, system, lcu", "c", "b") }}
        AND right(c.channel_path, 2) = CASE WHEN p.kind = 'channel' THEN right(p.attached, 2) END
    WHERE c.channel_path IS NOT NULL OR p.kind LIKE 'control unit%'
    GROUP BY b.platform, b.system, b.lcu, p.director, p.port
),
bad_clock AS (
    SELECT DISTINCT b.platform, b.system, b.lcu, p.interval_start
    FROM bad b
    JOIN (SELECT DISTINCT platform, system, interval_start, interval_s FROM director_port_interval) p
        ON p.platform = b.platform AND p.system = b.system
        AND unix_micros(p.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(p.interval_start) + p.interval_s * 1e6 > unix_micros(b.interval_start)
),
port_load AS (
    SELECT
        h.platform, h.system, h.lcu, h.director, h.port, h.kind, h.channel_path,
        max(CASE WHEN t.lcu IS NOT NULL THEN p.frame_pacing_ms END) AS frame_pacing_ms,
        sum(CASE WHEN t.lcu IS NOT NULL THEN p.error_count END) AS error_count,
        sum(CASE WHEN t.lcu IS NOT NULL THEN p.interval_s END) AS then_s,
        avg(CASE WHEN t.lcu IS NULL THEN p.frame_pacing_ms END) AS usual_pacing_ms,
        sum(CASE WHEN t.lcu IS NULL THEN p.error_count END)
            / sum(CASE WHEN t.lcu IS NULL AND p.error_count IS NOT NULL THEN p.interval_s END) AS usual_error_rate
    FROM behind h
    JOIN director_port_interval p ON {{ equal("platform, system, director, port", "p", "h") }}
    LEFT JOIN bad_clock t ON {{ equal("platform, system, lcu", "t", "h") }} AND t.interval_start = p.interval_start
    GROUP BY h.platform, h.system, h.lcu, h.director, h.port, h.kind, h.channel_path
),
-- what the port in the middle has then: where all are the same, none is the cause
port_others AS (
    SELECT
        a.platform, a.system, a.lcu, a.director, a.port,
        {{ each("percentile_cont(0.5) WITHIN GROUP (ORDER BY o.NAME)", "frame_pacing_ms error_count") }}
    FROM port_load a
    JOIN port_load o ON {{ equal("platform, system, lcu", "o", "a") }}
        AND (o.director <> a.director OR o.port <> a.port)
    GROUP BY a.platform, a.system, a.lcu, a.director, a.port
),
odd AS (
    SELECT
        p.platform, p.system, p.lcu, p.director, p.port, p.kind, p.channel_path,
        CASE
            WHEN p.frame_pacing_ms >= $pacing_ms
                AND p.frame_pacing_ms >= $above_factor * coalesce(p.usual_pacing_ms, 0)
                AND p.frame_pacing_ms >= $above_factor * coalesce(o.frame_pacing_ms, 0)
                THEN p.frame_pacing_ms
        END AS frame_pacing_ms,
        CASE
            WHEN p.error_count >= $port_errors
                AND p.error_count >= $above_factor * coalesce(p.usual_error_rate * p.then_s, 0)
                AND p.error_count >= $above_factor * coalesce(o.error_count, 0)
                THEN p.error_count
        END AS error_count
    FROM port_load p
    LEFT JOIN port_others o ON {{ equal("platform, system, lcu, director, port", "o", "p") }}
),
port AS (
    SELECT
        o.platform, o.system, o.lcu, o.director, o.port, o.kind, o.frame_pacing_ms, o.error_count,
        row_number() OVER (
            PARTITION BY o.platform, o.system, o.lcu
            ORDER BY
                CASE WHEN o.channel_path = w.channel_path THEN 0 ELSE 1 END, coalesce(o.frame_pacing_ms, 0) DESC,
                coalesce(o.error_count, 0) DESC, o.director, o.port
        ) AS place
    FROM odd o
    LEFT JOIN path w ON w.platform = o.platform AND w.system = o.system AND w.lcu = o.lcu
    WHERE (o.frame_pacing_ms IS NOT NULL OR o.error_count IS NOT NULL)
        AND (w.channel_path IS NULL OR o.kind <> 'channel' OR o.channel_path = w.channel_path)
),
reach AS (
    SELECT
        l.platform, l.system, l.lcu, l.channel_path, h.box,
        count(*) OVER (PARTITION BY l.platform, l.system, l.lcu) AS paths
    FROM (SELECT DISTINCT platform, system, lcu, channel_path FROM lcu_path_interval) l
    JOIN lcu_box h ON {{ equal("platform, system, lcu", "h", "l") }}
),
neighbour AS (
    -- LCUs of other boxes over the same channels
    SELECT r.platform, r.system, r.lcu, o.lcu AS other_lcu, o.box AS other_box
    FROM reach r
    JOIN reach o ON {{ equal("platform, system, channel_path", "o", "r") }} AND o.box <> r.box
    GROUP BY r.platform, r.system, r.lcu, o.lcu, o.box
    HAVING count(*) = max(r.paths)
),
quick AS (
    SELECT platform, system, lcu, min(other_box) AS quick_box
    FROM (
        SELECT n.platform, n.system, n.lcu, n.other_lcu, n.other_box
        FROM neighbour n
        JOIN bad b ON {{ equal("platform, system, lcu", "b", "n") }}
        LEFT JOIN cmr_compared c
            ON c.platform = n.platform AND c.system = n.system AND c.lcu = n.other_lcu AND c.interval_start = b.interval_start
        GROUP BY n.platform, n.system, n.lcu, n.other_lcu, n.other_box
        HAVING bool_and(coalesce(NOT c.is_above_own AND NOT c.is_above_others, FALSE))
    ) AS all_the_time
    GROUP BY platform, system, lcu
),
quick_system AS (
    SELECT platform, system, lcu, array_join(sort_array(collect_list(other_system)), '|') AS quick_systems
    FROM (
        SELECT b.platform, b.system, b.lcu, o.system AS other_system
        FROM bad b
        JOIN lcu_box h ON {{ equal("platform, system, lcu", "h", "b") }}
        JOIN lcu_box o ON o.platform = h.platform AND o.lcu = h.lcu AND o.box = h.box AND o.system <> h.system
        LEFT JOIN cmr_compared c
            ON c.platform = o.platform AND c.system = o.system AND c.lcu = o.lcu AND c.interval_start = b.interval_start
        GROUP BY b.platform, b.system, b.lcu, o.system
        HAVING bool_and(coalesce(NOT c.is_above_own AND NOT c.is_above_others, FALSE))
    ) AS all_the_time
    GROUP BY platform, system, lcu
),
asked AS (
    SELECT platform, system, lcu, sum(io_rate * interval_s) / sum(interval_s) AS own_rate FROM bad GROUP BY platform, system, lcu
),
sharer AS (
    SELECT a.platform, a.system, a.lcu, o.system AS other_system
    FROM asked a
    JOIN lcu_box h ON {{ equal("platform, system, lcu", "h", "a") }}
    JOIN lcu_box o ON {{ equal("platform, lcu", "o", "h") }} AND o.system <> h.system AND (o.box = h.box OR h.platform = 'z/VM')
    UNION
    SELECT a.platform, a.system, a.lcu, o.system
    FROM asked a
    JOIN _volume_day m ON {{ equal("platform, system", "m", "a") }} AND m.lcu IS NULL
    JOIN _volume_day o ON {{ equal("platform, volume", "o", "m") }} AND o.lcu IS NULL AND o.system <> m.system
    WHERE a.lcu = ''
),
load_there AS (
    SELECT
        s.platform, s.system, s.lcu, s.other_system, v.interval_start, v.interval_s, sum(v.io_rate) AS io_rate,
        unix_micros(v.interval_start) + 5e5 * v.interval_s AS middle_us
    FROM volume_interval v
    JOIN sharer s ON v.platform = s.platform AND v.system = s.other_system AND coalesce(v.lcu, '') = s.lcu
    WHERE v.interval_s > 0
    GROUP BY s.platform, s.system, s.lcu, s.other_system, v.interval_start, v.interval_s
),
load_then AS (
    SELECT
        l.platform, l.system, l.lcu, l.other_system, max(l.interval_s) AS interval_s, max(l.io_rate) AS io_rate,
        count(b.system) > 0 AS is_then
    FROM load_there l
    LEFT JOIN bad b ON {{ equal("platform, system, lcu", "b", "l") }} AND l.middle_us >= unix_micros(b.interval_start)
        AND l.middle_us < unix_micros(b.interval_start) + 1e6 * b.interval_s
    GROUP BY l.platform, l.system, l.lcu, l.other_system, l.interval_start
),
louder AS (
    SELECT
        l.platform, l.system, l.lcu, l.other_system,
        sum(CASE WHEN is_then THEN l.io_rate * interval_s END) / sum(CASE WHEN is_then THEN interval_s END) AS other_rate,
        sum(CASE WHEN NOT is_then THEN l.io_rate * interval_s END) / sum(CASE WHEN NOT is_then THEN interval_s END) AS other_usual
    FROM load_then l
    GROUP BY l.platform, l.system, l.lcu, l.other_system
),
loudest AS (
    SELECT
        l.*, row_number() OVER (PARTITION BY l.platform, l.system, l.lcu ORDER BY other_rate - other_usual DESC, other_system) AS place
    FROM louder l
    JOIN asked a ON {{ equal("platform, system, lcu", "a", "l") }}
    WHERE other_rate >= $above_factor * other_usual AND other_rate - other_usual >= a.own_rate
)
SELECT
    b.platform, b.system, b.lcu, q.quick_box, s.quick_systems, t.other_system, t.other_rate, t.other_usual, p.director, p.port, p.frame_pacing_ms, p.error_count,
    h.channel_path, h.cmr_ms AS path_cmr_ms, h.others_ms AS other_paths_ms, h.other_paths,
    CASE WHEN h.channel_path IS NOT NULL THEN b.lcu END AS slow_path_lcu
FROM (SELECT DISTINCT platform, system, lcu FROM bad) b
LEFT JOIN port p ON p.platform = b.platform AND p.system = b.system AND p.lcu = b.lcu AND p.place = 1
LEFT JOIN path h ON h.platform = b.platform AND h.system = b.system AND h.lcu = b.lcu
LEFT JOIN quick q ON q.platform = b.platform AND q.system = b.system AND q.lcu = b.lcu
LEFT JOIN loudest t ON {{ equal("platform, system, lcu", "t", "b") }} AND t.place = 1
LEFT JOIN quick_system s ON s.platform = b.platform AND s.system = b.system AND s.lcu = b.lcu
ORDER BY b.platform, b.system, b.lcu

-- title: Boxes whose cache was emptied: all their I/Os stalled, read hits fell at once and came back step by step
-- grain: one row per box, cold_start
-- column part VARCHAR []: Empty: the whole box
-- column stall_start TIMESTAMP [local time]: Start of the interval in which the I/Os of all its LCUs or volumes started late
-- column cold_start TIMESTAMP [local time]: Start of the interval in which read hits fell
-- column cold_end TIMESTAMP [local time]: From then on reads hit as before
-- column before_ratio DOUBLE [ratio 0..1]: Read hits before
-- column cold_ratio DOUBLE [ratio 0..1]: The fewest since
-- column stalled VARCHAR []: LCUs, or volumes without one, that start late in no other interval, separated by |
-- column stalled_on VARCHAR []: The system of each of them, likewise
WITH counted AS (
    SELECT
        coalesce(b.box, c.subsystem) AS box, c.local_start, max(c.local_end) AS local_end, sum(c.read_count) AS reads,
        sum(c.read_hit_count) / sum(c.read_count) AS ratio
    FROM cache_interval c
    LEFT {{ join_box_then("b", "c") }}
    WHERE c.read_count > 0
    GROUP BY coalesce(b.box, c.subsystem), c.local_start
),
ordered AS (
    SELECT
        *,
        lag(ratio) OVER (PARTITION BY box ORDER BY local_start) AS before_ratio,
        lag(reads) OVER (PARTITION BY box ORDER BY local_start) AS before_reads
    FROM counted
),
-- where no record has LCUs, the volumes of the subsystem
alone AS (
    SELECT
        coalesce(b.box, v.subsystem) AS box, v.platform, v.system, v.volume, v.local_start, v.local_end, v.pend_ms
    FROM volume_interval v
    LEFT {{ join_box_then("b", "v") }}
    WHERE v.lcu IS NULL AND v.subsystem IS NOT NULL AND v.io_rate > 0
),
best_alone AS (
    {{ best_of("pend_ms", "alone", "box, platform, system, volume") }}
),
late AS (
    SELECT
        h.box, w.platform, w.system, w.lcu, w.local_start, w.local_end,
        coalesce(w.rest_ms >= w.usual_rest_ms + $stall_ms, FALSE) AS is_late
    FROM way_interval w
    JOIN lcu_box h ON {{ equal("platform, system, lcu", "h", "w") }}
    WHERE w.io_rate > 0
    UNION ALL
    SELECT
        a.box, a.platform, a.system, a.volume, a.local_start, a.local_end,
        coalesce(a.pend_ms >= m.best_ms + $stall_ms, FALSE)
    FROM alone a
    JOIN best_alone m ON {{ equal("box, platform, system, volume", "m", "a") }}
),
stall AS (
    SELECT box, local_start, max(local_end) AS local_end FROM late GROUP BY box, local_start HAVING bool_and(is_late)
),
fallen AS (
    -- twice the drop that hit_ratio_drop reports; with more to read, it is the work
    SELECT o.box, o.local_start, o.local_end, o.before_ratio, s.local_start AS stall_start
    FROM ordered o
    JOIN stall s ON s.box = o.box AND s.local_start < o.local_end AND s.local_end >= o.local_start
    WHERE o.ratio <= o.before_ratio - 2 * $drop_ratio AND o.reads <= (1 + $comparable) * o.before_reads
),
back AS (
    SELECT f.box, f.local_start, f.local_end, f.before_ratio, f.stall_start, min(o.local_start) AS cold_end
    FROM fallen f
    JOIN ordered o ON o.box = f.box AND o.local_start > f.local_start AND o.ratio >= f.before_ratio - $drop_ratio
    GROUP BY f.box, f.local_start, f.local_end, f.before_ratio, f.stall_start
),
cold AS (
    -- no step leads down again, once the interval of the event is over, and none is most of the way
    SELECT b.box, b.stall_start, b.local_start AS cold_start, b.cold_end, b.before_ratio, min(o.ratio) AS cold_ratio
    FROM back b
    JOIN ordered o ON o.box = b.box AND o.local_start >= b.local_start AND o.local_start <= b.cold_end
    GROUP BY b.box, b.stall_start, b.local_start, b.local_end, b.cold_end, b.before_ratio
    HAVING min(CASE WHEN o.local_start > b.local_end THEN o.ratio - o.before_ratio ELSE 0 END) >= -$drop_ratio
        AND max(CASE WHEN o.local_start > b.local_start THEN o.ratio - o.before_ratio ELSE 0 END)
            <= (b.before_ratio - min(o.ratio)) * 2 / 3
),
only_then AS (
    SELECT l.box, l.platform, l.system, l.lcu
    FROM late l
    LEFT JOIN stall s ON s.box = l.box AND s.local_start = l.local_start
    GROUP BY l.box, l.platform, l.system, l.lcu
    HAVING NOT bool_or(l.is_late AND s.box IS NULL)
),
named AS (
    SELECT
        box,
        array_join(in_order(collect_list(lcu || chr(9) || system), collect_list(lcu)), '|') AS stalled,
        array_join(in_order(collect_list(lcu || chr(9) || system), collect_list(system)), '|') AS stalled_on
    FROM only_then
    GROUP BY box
)
SELECT
    c.box, '' AS part, c.stall_start, c.cold_start, c.cold_end, c.before_ratio, c.cold_ratio, n.stalled, n.stalled_on
FROM cold c
LEFT JOIN named n ON n.box = c.box
ORDER BY c.box, c.cold_start

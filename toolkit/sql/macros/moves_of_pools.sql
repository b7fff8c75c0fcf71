{#
Pools whose volumes were in another box before, one row per platform, system and pool, within `moved AS (...)`:
box_now; other_start, the last interval in which any was elsewhere; is_here, whether a bad interval came since;
moved_start, from when on all are there; moved_queue and moved_rate, the longest queue and the highest rate since, and
moved_response_ms, the mean response at that rate. A box that no record names is not another one; LCUs of a group that
end in several boxes show no move.
USED has the rows of `volumes together`, BAD platform, system, pool and interval_start.
#}
{% macro moves_of_pools(used, bad) -%}
WITH housed AS (
    SELECT l.platform, l.system, l.pool, l.lcu, l.interval_start, min(v.local_start) AS local_start, min(v.box) AS box
    FROM lcu_alias_interval l
    JOIN (SELECT DISTINCT platform, system, pool FROM {{ used }}) AS u
        ON u.platform = l.platform AND u.system = l.system AND u.pool = l.pool
    JOIN box_volume_interval v
        ON v.platform = l.platform AND v.system = l.system AND v.lcu = l.lcu AND v.interval_start = l.interval_start
    WHERE v.serial IS NOT NULL
    GROUP BY l.platform, l.system, l.pool, l.lcu, l.interval_start
),
last_box AS (
    SELECT platform, system, pool, lcu, max_by(box, interval_start) AS box
    FROM housed
    GROUP BY platform, system, pool, lcu
),
one_box AS (
    SELECT platform, system, pool, min(box) AS box_now
    FROM last_box
    GROUP BY platform, system, pool
    HAVING min(box) = max(box)
),
other AS (
    SELECT h.platform, h.system, h.pool, n.box_now, max(h.interval_start) AS other_start
    FROM housed h
    JOIN one_box n ON n.platform = h.platform AND n.system = h.system AND n.pool = h.pool
    WHERE h.box <> n.box_now
    GROUP BY h.platform, h.system, h.pool, n.box_now
),
bad_last AS (
    SELECT platform, system, pool, max(interval_start) AS bad_start FROM {{ bad }} GROUP BY platform, system, pool
),
first_there AS (
    SELECT h.platform, h.system, h.pool, min(h.local_start) AS moved_start
    FROM housed h
    JOIN other o ON o.platform = h.platform AND o.system = h.system AND o.pool = h.pool
    WHERE h.interval_start > o.other_start
    GROUP BY h.platform, h.system, h.pool
)
SELECT
    o.platform, o.system, o.pool, o.box_now, o.other_start,
    b.bad_start > o.other_start AS is_here,
    f.moved_start,
    max(u.queue_length) AS moved_queue,
    max(u.io_rate) AS moved_rate,
    max_by(
        1e3 * (u.in_service + u.queue_length) / nullif(u.io_rate, 0), peak_order(u.io_rate, u.interval_start)
    ) AS moved_response_ms
FROM other o
JOIN bad_last b ON b.platform = o.platform AND b.system = o.system AND b.pool = o.pool
JOIN first_there f ON f.platform = o.platform AND f.system = o.system AND f.pool = o.pool
JOIN {{ used }} u
    ON u.platform = o.platform AND u.system = o.system AND u.pool = o.pool AND u.interval_start > o.other_start
GROUP BY o.platform, o.system, o.pool, o.box_now, o.other_start, b.bad_start, f.moved_start
{%- endmacro %}

-- title: Boxes near their highest rate with I/Os queued in the hosts, and the volumes that wait then
-- grain: one row per box, volume, system
-- column wait_sum DOUBLE [milliseconds per second]: IOSQ times rate, intervals added up
-- column rate_sum DOUBLE [per second]: Rates of the intervals, added up
-- column queue_else DOUBLE [I/Os]: Longest queue of the volume in all other intervals
-- column slow_lcus VARCHAR []: LCUs of the box, as this system sees them, whose command response time is long then, with that of the box's others, and at no other time; separated by |
-- column disc_lcus VARCHAR []: LCUs whose disconnect is long mostly then, separated by |; an empty name for all volumes of a system without LCUs
-- column way_growth_ratio DOUBLE [ratio]: Pend without device busy delay, and connect time, of what the service time of the same volumes is longer than while the box isn't near full; NULL where it isn't longer or they aren't recorded
-- column elsewhere_ratio DOUBLE [ratio 0..1]: Share of these intervals in which the path to another box is slow too
-- column has_busy BOOLEAN []: Device busy is recorded
WITH inside AS (
    SELECT
        i.box, i.interval_start, i.io_rate, i.in_service, i.has_busy,
        i.io_rate >= $near * c.io_rate_max AS is_near,
        i.io_rate >= $near * c.io_rate_max AND i.queue_length >= $queue_length
            AND i.in_service >= $full * c.in_service_max AS is_crowded
    FROM ({{ inside_boxes() }}) AS i
    JOIN box_curve c ON c.box = i.box
    -- the rate itself must have risen much less than the number in the box, whatever the service times say
    WHERE c.in_service_max >= $inside AND c.io_rate_max / c.io_rate_min <= sqrt(c.in_service_max / c.in_service_min)
),
held AS (
    SELECT box, avg(io_rate) AS io_rate, avg(in_service) AS in_service, bool_and(has_busy) AS has_busy
    FROM inside
    WHERE is_crowded
    GROUP BY box
),
-- the same rate with clearly fewer I/Os inside: something else made them slow
carried AS (
    SELECT DISTINCT h.box
    FROM held h
    JOIN inside i ON i.box = h.box AND i.io_rate >= h.io_rate AND i.in_service <= $fewer * h.in_service
),
full_box AS (
    SELECT box FROM held WHERE box NOT IN (SELECT box FROM carried)
),
near_full AS (
    SELECT v.*, i.is_crowded
    FROM box_volume_interval v
    JOIN inside i ON i.box = v.box AND i.interval_start = v.box_interval_start
    WHERE i.is_near AND v.box IN (SELECT box FROM full_box)
),
crowded AS (
    SELECT * FROM near_full WHERE is_crowded
),
bad AS (
    SELECT box, local_start, max(local_end) AS local_end, sum(queue_length * interval_s) AS lost
    FROM crowded
    GROUP BY box, local_start
),
{{ slow_paths("$path_rate", "$path_above_ms", "$path_above_factor") }},
full_lcu AS (
    SELECT DISTINCT c.box, c.platform, c.system, c.lcu, c.interval_start, m.cmr_ms
    FROM near_full c
    JOIN cmr_compared m ON {{ equal("platform, system, lcu, interval_start", "m", "c") }}
),
middle AS (
    SELECT box, platform, system, interval_start, percentile_cont(0.5) WITHIN GROUP (ORDER BY cmr_ms) AS middle_ms
    FROM full_lcu
    GROUP BY box, platform, system, interval_start
),
-- a full box answers late on all its LCUs: one that is slower than the others has a trouble of its own
as_slow AS (
    SELECT f.platform, f.system, f.lcu, f.interval_start
    FROM full_lcu f
    JOIN middle d ON {{ equal("box, platform, system, interval_start", "d", "f") }}
    WHERE f.cmr_ms < d.middle_ms + $path_above_ms OR f.cmr_ms < $path_above_factor * d.middle_ms
),
{{ slow_paths_within("as_slow", "$path_minutes", "$deep_ios", "$deep_share") }},
slow_lcu AS (
    SELECT h.box, e.system, array_join(sort_array(collect_list(e.lcu)), '|') AS slow_lcus
    FROM slow_explained e
    JOIN lcu_box h ON h.platform = e.platform AND h.system = e.system AND h.lcu = e.lcu
    GROUP BY h.box, e.system
),
disc_lcu AS (
    SELECT
        c.box, v.platform, v.system, coalesce(v.lcu, '') AS lcu, v.interval_start,
        max(v.interval_s) AS interval_s,
        sum(v.io_rate) AS io_rate,
        sum(v.io_rate * v.disc_ms) / sum(v.io_rate) AS disc_ms,
        max(CASE WHEN n.box IS NOT NULL THEN 1 ELSE 0 END) AS is_full
    FROM volume_interval v
    {{ join_home("v") }}
    {{ join_clock("v") }}
    LEFT JOIN (SELECT DISTINCT box, box_interval_start FROM near_full) n
        ON n.box = c.box AND n.box_interval_start = c.box_interval_start
    WHERE c.box IN (SELECT box FROM full_box) AND c.is_main AND v.io_rate > 0 AND v.disc_ms IS NOT NULL
    GROUP BY c.box, v.platform, v.system, coalesce(v.lcu, ''), v.interval_start
    HAVING sum(v.io_rate) >= $path_rate
),
best AS (
    {{ best_of("disc_ms", "disc_lcu", "box, platform, system, lcu") }}
),
late_disc AS (
    SELECT d.*, d.io_rate * (d.disc_ms - b.best_ms) * d.interval_s AS lost
    FROM disc_lcu d
    JOIN best b ON b.box = d.box AND b.platform = d.platform AND b.system = d.system AND b.lcu = d.lcu
    WHERE d.disc_ms >= b.best_ms + $disc_above_ms AND d.disc_ms >= $disc_above_factor * b.best_ms
),
disc_explained AS (
    SELECT box, system, array_join(sort_array(collect_list(lcu)), '|') AS disc_lcus
    FROM (
        SELECT box, platform, system, lcu
        FROM late_disc
        GROUP BY box, platform, system, lcu
        HAVING sum(CASE WHEN is_full = 1 THEN lost ELSE 0 END) >= $disc_within * sum(lost)
    ) AS then_only
    GROUP BY box, system
),
usual AS (
    SELECT
        v.platform, v.system, v.volume,
        {{ mean_of("v.pend_ms", "v.io_rate") }} - {{ mean_of("v.device_busy_ms", "v.io_rate") }}
            + {{ mean_of("v.conn_ms", "v.io_rate") }} AS way_ms,
        {{ mean_of("v.service_ms", "v.io_rate") }} AS service_ms
    FROM volume_interval v
    JOIN (SELECT DISTINCT platform, system, volume FROM crowded) c ON {{ equal("platform, system, volume", "c", "v") }}
    LEFT JOIN near_full n ON {{ equal("platform, system, volume, interval_start", "n", "v") }}
    WHERE n.volume IS NULL AND v.io_rate > 0
    GROUP BY v.platform, v.system, v.volume
),
growth AS (
    -- what fills the arms or NVS of a box lengthens disconnect; what fills the way to it, or its adapters, does not
    SELECT
        c.box,
        sum(c.io_rate * (v.pend_ms - v.device_busy_ms + v.conn_ms - u.way_ms)) AS way,
        sum(c.io_rate * (v.service_ms - u.service_ms)) AS whole
    FROM volume_interval v
    JOIN crowded c ON {{ equal("platform, system, volume, interval_start", "c", "v") }}
    JOIN usual u ON u.platform = c.platform AND u.system = c.system AND u.volume = c.volume
    WHERE v.pend_ms - v.device_busy_ms + v.conn_ms IS NOT NULL AND u.way_ms IS NOT NULL
    GROUP BY c.box
),
moment AS (
    SELECT DISTINCT box, platform, system, interval_start FROM crowded
),
slow_box AS (
    SELECT DISTINCT s.platform, s.system, s.interval_start, h.box
    FROM slow s
    JOIN lcu_box h ON h.platform = s.platform AND h.system = s.system AND h.lcu = s.lcu
    WHERE s.is_above_own
),
together AS (
    SELECT m.box, m.interval_start, count(s.box) > 0 AS is_elsewhere
    FROM moment m
    LEFT JOIN slow_box s ON {{ equal("platform, system, interval_start", "s", "m") }} AND s.box <> m.box
    GROUP BY m.box, m.interval_start
),
elsewhere AS (
    SELECT box, avg(CASE WHEN is_elsewhere THEN 1 ELSE 0 END) AS elsewhere_ratio FROM together GROUP BY box
),
elsewhen AS (
    SELECT
        v.box, v.volume, v.system,
        max(CASE WHEN c.volume IS NULL THEN v.queue_length END) AS queue_else
    FROM box_volume_interval v
    LEFT JOIN crowded c ON {{ equal("box, volume, system, interval_start", "c", "v") }}
    GROUP BY v.box, v.volume, v.system
),
waiting AS (
    SELECT
        box, volume, system,
        {{ each("max(NAME)", "platform serial control_unit_type") }},
        sum(queue_length * interval_s) AS lost_s,
        sum(io_rate * service_ms) / sum(io_rate) AS service_ms,
        sum(queue_length) * 1000 AS wait_sum,
        sum(io_rate) AS rate_sum
    FROM crowded
    GROUP BY box, volume, system
),
{% call incident("bad", "box", is_select=true) %}
    SELECT
        w.*, queue_else, slow_lcus, disc_lcus, CASE WHEN whole > 0 THEN way / whole END AS way_growth_ratio, elsewhere_ratio,
        d.has_busy
    FROM waiting w
    JOIN elsewhen USING (box, volume, system)
    JOIN elsewhere USING (box)
    JOIN held d USING (box)
    LEFT JOIN growth USING (box)
    LEFT JOIN disc_explained USING (box, system)
    LEFT JOIN slow_lcu USING (box, system)
{% endcall %}
ORDER BY a.box, a.lost_s DESC, a.volume, a.system

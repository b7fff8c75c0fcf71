-- title: Hours in which a box had fewer read hits than in the same hour of the days before the drop
-- grain: one row per box, local_start
-- column reads DOUBLE [I/Os]: Reads, those over zHyperLink too
-- column usual_ratio DOUBLE [ratio 0..1]: Median of the same hour on a number of days before the drop began; on the first of them, if hits fall from day to day
-- column days BIGINT []: Days with this hour before the drop began that were looked at; 0 if hits fall from day to day
-- column newest_end TIMESTAMP [local time]: End of the last hour in which the box was read
-- column poor_volumes VARCHAR []: Volumes that read past the cache then and at no other time, separated by |
-- column poor_else BIGINT []: Most volumes that read past the cache at once at other times
-- note: The history of an hour is a fixed number of days before it, so the length of the lake does not matter. Where there are fewer, days with as many reads are.
-- note: A drop lasts while the hour stays as far below the history of its first day, even with days without it in between. As many consecutive days without it end it.
WITH over_link AS (
    -- what goes over zHyperLink has hit, and is missing in the cache statistics of normal I/O
    SELECT
        b.box,
        CAST(v.local_start AS DATE) AS day,
        hour(v.local_start) AS hour_of_day,
        sum(v.sync_read_rate * v.interval_s) AS reads
    FROM volume_interval v
    {{ join_box_then("b", "v") }}
    WHERE v.sync_read_rate > 0
    GROUP BY b.box, CAST(v.local_start AS DATE), hour(v.local_start)
),
each_volume AS (
    -- a subsystem of no known box stands for one
    SELECT
        coalesce(b.box, c.subsystem) AS box, b.serial, b.control_unit_type, c.subsystem, c.volser, c.local_start, c.local_end,
        -- a cache report has no counts of a volume
        coalesce(c.read_count, c.read_rate * c.interval_s) AS reads,
        coalesce(c.read_hit_count, c.read_rate * c.interval_s * c.read_hit_ratio) AS hits
    FROM cache_interval c
    LEFT {{ join_box_then("b", "c") }}
    WHERE coalesce(c.read_count, c.read_rate) > 0
),
normal AS (
    SELECT
        box, {{ each("max(NAME)", "serial control_unit_type") }}, CAST(local_start AS DATE) AS day, hour(local_start) AS hour_of_day,
        {{ each("sum(NAME)", "reads hits") }}, min(local_start) AS local_start, max(local_end) AS local_end
    FROM (
        SELECT
            coalesce(b.box, c.subsystem) AS box, b.serial, b.control_unit_type, c.local_start, c.local_end,
            c.read_count AS reads, c.read_hit_count AS hits
        FROM cache_subsystem_interval c
        LEFT {{ join_box_then("b", "c") }}
        WHERE c.read_count > 0
        UNION ALL
        -- z/VM counts volumes alone
        SELECT box, serial, control_unit_type, local_start, local_end, reads, hits
        FROM each_volume
        WHERE subsystem NOT IN (SELECT subsystem FROM cache_subsystem_interval WHERE read_count > 0)
    ) AS c
    GROUP BY box, CAST(local_start AS DATE), hour(local_start)
),
hourly AS (
    SELECT
        n.box, n.serial, n.control_unit_type, n.day, n.hour_of_day, n.local_start, n.local_end,
        n.reads + coalesce(o.reads, 0) AS reads,
        n.hits + coalesce(o.reads, 0) AS hits
    FROM normal n
    LEFT JOIN over_link o ON o.box = n.box AND o.day = n.day AND o.hour_of_day = n.hour_of_day
),
placed AS (
    SELECT *, hits / reads AS hit_ratio, row_number() OVER (PARTITION BY box, hour_of_day ORDER BY day) AS place FROM hourly
),
before AS (
    SELECT h.box, h.hour_of_day, h.place, h.reads, p.place AS other_place, p.hit_ratio, p.reads AS other_reads
    FROM placed h
    JOIN placed p ON {{ equal("box, hour_of_day", "p", "h") }} AND p.place <= h.place AND p.place >= h.place - $days
),
-- a slow fall has no usual day: the same reads hit less on nearly each day than on any before
steady AS (
    SELECT o.box, o.hour_of_day, o.place, min_by(o.hit_ratio, o.other_place) AS usual_ratio
    FROM before o
    JOIN before n ON {{ equal("box, hour_of_day, place", "n", "o") }} AND n.other_place > o.other_place
    GROUP BY o.box, o.hour_of_day, o.place
    HAVING count(DISTINCT n.other_place) + 1 >= $steady_days
        AND avg(CASE WHEN n.hit_ratio < o.hit_ratio THEN 1.0 ELSE 0.0 END) >= $steady_pairs
        AND least(max(o.reads), min_by(o.other_reads, o.other_place))
            >= (1 - $comparable) * greatest(max(o.reads), min_by(o.other_reads, o.other_place))
),
usual AS (
    SELECT box, hour_of_day, place, max(usual_ratio) AS usual_ratio, min(days) AS days
    FROM (
        SELECT
            box, hour_of_day, place, percentile_cont(0.5) WITHIN GROUP (ORDER BY hit_ratio) AS usual_ratio, count(*) AS days
        FROM before
        WHERE other_place < place
        GROUP BY box, hour_of_day, place
        HAVING count(*) >= $days
        UNION ALL
        -- fewer days before show it at as many reads, if it lasts (see when)
        SELECT box, hour_of_day, place, percentile_cont(0.5) WITHIN GROUP (ORDER BY hit_ratio), count(*)
        FROM before
        WHERE other_place < place AND place <= $days
            AND least(reads, other_reads) >= (1 - $comparable) * greatest(reads, other_reads)
        GROUP BY box, hour_of_day, place
        UNION ALL
        SELECT box, hour_of_day, place, usual_ratio, 0 FROM steady
    ) AS either
    GROUP BY box, hour_of_day, place
),
fallen AS (
    SELECT DISTINCT h.box, h.day, h.hour_of_day
    FROM placed h
    JOIN usual u ON {{ equal("box, hour_of_day", "u", "h") }} AND u.place <= h.place
        AND h.hit_ratio <= u.usual_ratio - $drop_ratio
),
poorest AS (
    SELECT box, day, hour_of_day, {{ each("max_by(NAME, name_order(reads - hits, volser))", "reads hits") }}
    FROM (
        SELECT f.box, f.day, f.hour_of_day, v.volser, {{ each("sum(NAME)", "reads hits") }}
        FROM each_volume v
        JOIN fallen f ON f.box = v.box AND f.day = CAST(v.local_start AS DATE) AND f.hour_of_day = hour(v.local_start)
        GROUP BY f.box, f.day, f.hour_of_day, v.volser
    ) AS missed
    GROUP BY box, day, hour_of_day
),
measured AS (
    -- one volume alone that reads past the cache is no drop of the box: low_hit_ratio names it
    SELECT h.*, greatest(h.hit_ratio, coalesce((h.hits - w.hits) / nullif(h.reads - w.reads, 0), 0)) AS best_ratio
    FROM placed h
    JOIN fallen f ON {{ equal("box, day, hour_of_day", "f", "h") }}
    LEFT JOIN poorest w ON {{ equal("box, day, hour_of_day", "w", "h") }}
),
low AS (
    -- what stays low becomes the usual of its own days: compare it with what was usual when it began
    SELECT
        h.box, h.serial, h.control_unit_type, h.hour_of_day, h.local_start, h.local_end, h.reads, h.hit_ratio, h.place,
        c.place AS began, c.usual_ratio, c.days,
        CASE
            WHEN h.place - lag(h.place) OVER (PARTITION BY h.box, h.hour_of_day, c.place ORDER BY h.place) > $days
                THEN 1
            ELSE 0
        END AS is_apart
    FROM usual c
    JOIN measured b ON {{ equal("box, hour_of_day, place", "b", "c") }} AND b.best_ratio <= c.usual_ratio - $drop_ratio
    JOIN measured h ON {{ equal("box, hour_of_day", "h", "c") }} AND h.place >= c.place
        AND h.best_ratio <= c.usual_ratio - $drop_ratio
),
followed AS (
    SELECT *, sum(is_apart) OVER (PARTITION BY box, hour_of_day, began ORDER BY place) AS ended FROM low
),
bad AS (
    SELECT
        box, serial, control_unit_type, local_start, local_end, reads, hit_ratio,
        {{ each("min_by(NAME, began)", "usual_ratio days") }},
        (min_by(usual_ratio, began) - hit_ratio) * reads AS lost
    FROM followed
    WHERE ended = 0
    GROUP BY box, serial, control_unit_type, local_start, local_end, reads, hit_ratio
),
newest AS (
    SELECT box, max(local_end) AS newest_end FROM hourly GROUP BY box
),
{{ poor_volumes_around("bad") }},
{% call incident("bad", "box", is_select=true) %}
    SELECT
        box, serial, control_unit_type, local_start, local_end, reads, hit_ratio, usual_ratio, days, newest_end, poor_volumes, poor_else
    FROM bad
    JOIN newest USING (box)
    LEFT JOIN poor_volume USING (box)
    LEFT JOIN poor_else USING (box)
{% endcall %}
ORDER BY a.box, a.local_start

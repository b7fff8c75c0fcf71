-- title: Boxes, and single subsystems of other boxes, in the intervals in which most of their busy volumes miss the cache
-- grain: one row per box, part
-- column part VARCHAR []: Subsystem (SSID) of the box whose volumes do, while those of the whole box do not; empty for the box
-- column poor BIGINT []: Volumes with few hits, most in a bad interval
-- column busy BIGINT []: Volumes with reads to speak of in that interval
-- column disc_s DOUBLE [s]: Disconnect time of all I/Os, bad intervals
-- column service_s DOUBLE [s]: Response time without IOSQ, all I/Os in the bad intervals
-- column usual_ratio DOUBLE [ratio 0..1]: Read hits before the first bad interval and after the last, at comparable rates; NULL if most have none
-- column comparable_before BIGINT []: Such intervals before, of the rate with fewest
-- column goes_on BOOLEAN []: The last interval is a bad one
WITH crowd AS (
    -- only then most volumes can: one that hits as rarely in all does on one system
    SELECT local_start
    FROM (
        SELECT
            subsystem, local_start, system, io_rate * disc_ms AS disc,
            io_rate * read_ratio + coalesce(sync_read_rate, 0) AS reads,
            io_rate * read_ratio * read_hit_ratio + coalesce(sync_read_rate, 0) AS hits
        FROM volume_interval
        WHERE io_rate > 0 AND read_hit_ratio IS NOT NULL AND subsystem IS NOT NULL
    ) AS seen
    GROUP BY subsystem, local_start
    HAVING count(CASE WHEN hits < $hit_ratio * reads THEN 1 END) * count(DISTINCT system)
        >= $poor_share * greatest(count(CASE WHEN reads >= $read_rate OR disc >= 500 THEN 1 END), 1)
),
each_volume AS (
    SELECT
        coalesce(b.box, v.subsystem) AS box, v.local_start, v.volume,
        max(v.subsystem) AS subsystem,
        {{ each("max(b.NAME)", "serial control_unit_type") }},
        {{ hits_of_volumes() }}
    FROM volume_interval v
    -- a listing that names no box: then each of its subsystems stands for one
    LEFT {{ join_box_then("b", "v") }}
    {{ join_cached("v") }}
    WHERE uncached.volser IS NULL AND v.io_rate > 0 AND v.read_hit_ratio IS NOT NULL AND v.subsystem IS NOT NULL
        AND v.local_start IN (SELECT local_start FROM crowd)
        -- a page that is read stays in storage: no cache makes such reads hits
        AND coalesce(v.volser, '') NOT IN (SELECT volser FROM paging_volume_interval WHERE volser IS NOT NULL)
    GROUP BY coalesce(b.box, v.subsystem), v.local_start, v.volume
),
busy_volume AS (
    SELECT *, hits < $hit_ratio * reads AS is_poor FROM each_volume WHERE reads >= $read_rate * interval_s OR disc_s >= 0.5 * interval_s
),
member AS (
    SELECT *, '' AS part FROM busy_volume
    UNION ALL
    SELECT *, subsystem AS part FROM busy_volume
),
whole_part AS (
    SELECT
        box, part, local_start,
        {{ each("max(NAME)", "serial control_unit_type local_end") }},
        count(*) AS busy,
        sum(CASE WHEN is_poor THEN 1 ELSE 0 END) AS poor,
        {{ each("sum(NAME)", "ios reads hits disc_s service_s") }}
    FROM member
    GROUP BY box, part, local_start
),
poor_part AS (
    SELECT *, disc_s AS lost
    FROM whole_part
    WHERE busy >= $volumes AND poor >= $poor_share * busy AND disc_s >= $disc_share * service_s
),
bad AS (
    SELECT p.*
    FROM poor_part p
    LEFT JOIN poor_part w ON w.box = p.box AND w.part = '' AND w.local_start = p.local_start
    WHERE p.part = '' OR w.box IS NULL
),
poor_volume AS (
    -- a volume that reads past the cache while the box is well has a cause of its own
    SELECT box, part, array_join(sort_array(collect_list(volume)), '|') AS volumes
    FROM (
        SELECT p.box, p.part, o.volume
        FROM (
            SELECT v.box, v.subsystem, v.volume
            FROM busy_volume v
            LEFT JOIN bad b ON b.box = v.box AND b.part = '' AND b.local_start = v.local_start
            LEFT JOIN bad s ON s.box = v.box AND s.part = v.subsystem AND s.local_start = v.local_start
            WHERE v.is_poor AND v.disc_s >= $disc_share * v.service_s
            GROUP BY v.box, v.subsystem, v.volume
            HAVING count(*) = count(coalesce(b.box, s.box))
        ) AS o
        JOIN (SELECT DISTINCT box, part FROM bad) AS p ON p.box = o.box AND p.part IN ('', o.subsystem)
    ) AS only_then
    GROUP BY box, part
),
whole AS (
    SELECT
        b.box,
        max(c.cache_bytes) AS cache_bytes
    FROM cache_subsystem_interval c
    {{ join_box_then("b", "c") }}
    GROUP BY b.box
),
sequential AS (
    SELECT b.box, sum(c.sequential_count) / nullif(sum(c.io_count), 0) AS sequential_ratio
    FROM cache_interval c
    {{ join_box_then("b", "c") }}
    GROUP BY b.box
),
span AS (
    SELECT box, part, min(local_start) AS began, max(local_end) AS ended FROM bad GROUP BY box, part
),
counted AS (
    SELECT
        s.box, s.part, c.local_start, max(c.local_end) AS local_end, sum(c.read_count) AS reads, sum(c.read_hit_count) AS hits,
        sum(c.read_count) / max(c.interval_s) AS read_rate, c.local_start >= s.began AND c.local_start < s.ended AS is_bad
    FROM cache_interval c
    LEFT {{ join_box_then("b", "c") }}
    JOIN span s ON s.box = coalesce(b.box, c.subsystem)
    WHERE c.read_count > 0 AND s.part IN ('', c.subsystem)
    GROUP BY s.box, s.part, c.local_start, c.local_start >= s.began AND c.local_start < s.ended
),
{{ usual_hits("counted", "box, part", "read_rate") }},
measured AS (
    SELECT box, part, bool_or(is_bad AND local_end = last_end) AS goes_on
    FROM (SELECT *, max(local_end) OVER (PARTITION BY box, part) AS last_end FROM counted) AS ending
    GROUP BY box, part
),
{% call incident("bad", "box, part", also=["whole USING (box)", "sequential USING (box)", "poor_volume", "usual", "measured"]) %}
    {{ each("max(NAME)", "serial control_unit_type") }},
    sum(hits) / sum(reads) AS hit_ratio,
    CAST(max(poor) AS BIGINT) AS poor,
    max(busy) AS busy,
    {{ each("sum(NAME)", "ios disc_s service_s") }}
{% endcall %}
ORDER BY a.box, a.part

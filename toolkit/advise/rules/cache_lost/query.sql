-- title: Boxes that lost cache, with read hits and disconnect before and since
-- grain: one row per box
-- column whole_bytes DOUBLE [bytes]: Cache available before, or with what is offline
-- column available_bytes DOUBLE [bytes]: Cache available at least, in these intervals
-- column usual_ratio DOUBLE [ratio 0..1]: Read hits over reads in the other intervals; NULL if there are none
-- column newest_end TIMESTAMP [local time]: End of the last interval in which the box was read
-- column disc_ms DOUBLE [milliseconds]: Disconnect of the box's volumes in these intervals
-- column response_ms DOUBLE [milliseconds]: Response in these intervals
-- column usual_ms DOUBLE [milliseconds]: Disconnect in the other intervals
-- column lost_s DOUBLE [s]: What disconnect takes longer than in the other intervals, whole span
WITH sized AS (
    SELECT
        b.box, b.serial, b.control_unit_type, c.subsystem, c.interval_start, c.local_start, c.local_end, c.read_count, c.read_hit_count,
        c.cache_available_bytes AS available_bytes,
        greatest(
            c.cache_available_bytes + coalesce(c.cache_offline_bytes, 0),
            max(c.cache_available_bytes) OVER (PARTITION BY c.subsystem ORDER BY c.interval_start)
        ) AS whole_bytes
    FROM cache_subsystem_interval c
    {{ join_box_then("b", "c") }}
    WHERE c.cache_available_bytes > 0
),
box AS (
    SELECT
        box, max(serial) AS serial, max(control_unit_type) AS control_unit_type, interval_start, min(local_start) AS local_start,
        max(local_end) AS local_end, sum(read_count) AS reads, sum(read_hit_count) AS hits,
        bool_or(available_bytes < $available_ratio * whole_bytes) AS is_bad,
        min(available_bytes) AS available_bytes, max(whole_bytes) AS whole_bytes
    FROM sized
    GROUP BY box, interval_start
),
bad AS (
    SELECT *, CAST(1 AS DOUBLE) AS lost FROM box WHERE is_bad
),
span AS (
    SELECT box, sum(CASE WHEN NOT is_bad THEN hits END) / nullif(sum(CASE WHEN NOT is_bad THEN reads END), 0) AS usual_ratio,
        max(local_end) AS newest_end
    FROM box
    GROUP BY box
),
timed AS (
    SELECT x.box, x.is_bad, sum(v.io_rate * v.interval_s) AS ios, {{ each(mean_of("v.NAME", "v.io_rate * v.interval_s"), "disc_ms response_ms") }}
    FROM (SELECT DISTINCT box, subsystem, interval_start FROM sized WHERE box IN (SELECT box FROM bad)) s
    JOIN box x ON x.box = s.box AND x.interval_start = s.interval_start
    JOIN volume_interval v ON v.subsystem = s.subsystem AND v.interval_start = s.interval_start AND v.io_rate > 0
    GROUP BY x.box, x.is_bad
),
cost AS (
    SELECT t.box, t.disc_ms, t.response_ms, u.disc_ms AS usual_ms, t.ios * at_least_0(t.disc_ms - u.disc_ms) / 1000 AS lost_s
    FROM timed t
    LEFT JOIN timed u ON u.box = t.box AND NOT u.is_bad
    WHERE t.is_bad
),
{% call incident("bad", "box", also=["span", "cost"]) %}
    {{ each("max(NAME)", "serial control_unit_type whole_bytes") }}, min(available_bytes) AS available_bytes,
    sum(hits) / nullif(sum(reads), 0) AS hit_ratio
{% endcall %}
ORDER BY a.box

-- title: What the loss of cache costs the volumes of boxes that lost some
-- grain: one row per box
-- column disc_ms DOUBLE [milliseconds]: Disconnect of the box's volumes in these intervals
-- column response_ms DOUBLE [milliseconds]: Response in these intervals
-- column usual_ms DOUBLE [milliseconds]: Disconnect in the other intervals
-- column left_ms DOUBLE [milliseconds]: Response with disconnect as in the other intervals; NULL if that is unknown
-- column lost_s DOUBLE [s]: What disconnect takes longer than in the other intervals, whole span
WITH {{ box_cache() }},
timed AS (
    SELECT x.box, x.is_bad, sum(v.io_rate * v.interval_s) AS ios, {{ each(mean_of("v.NAME", "v.io_rate * v.interval_s"), "disc_ms response_ms") }}
    FROM (SELECT DISTINCT box, subsystem, interval_start FROM sized WHERE box IN (SELECT box FROM box WHERE is_bad)) s
    JOIN box x ON x.box = s.box AND x.interval_start = s.interval_start
    JOIN volume_interval v ON v.subsystem = s.subsystem AND v.interval_start = s.interval_start AND v.io_rate > 0
    GROUP BY x.box, x.is_bad
)
SELECT
    t.box, t.disc_ms, t.response_ms, u.disc_ms AS usual_ms, t.response_ms - at_least_0(t.disc_ms - u.disc_ms) AS left_ms,
    t.ios * at_least_0(t.disc_ms - u.disc_ms) / 1000 AS lost_s
FROM timed t
LEFT JOIN timed u ON u.box = t.box AND NOT u.is_bad
WHERE t.is_bad
ORDER BY t.box

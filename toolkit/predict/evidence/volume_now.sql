-- title: Changes of volumes that ever queued in the host, and the load since
-- grain: one row per platform, system, volume
-- parameter $queue_length DOUBLE [I/Os]: Queued in the host in an interval
-- column box_now VARCHAR []: Box in its last interval
-- column now_lcu VARCHAR []: Logical control unit in its last interval
-- column now_hyperpav BOOLEAN []: HyperPAV base in its last interval
-- column left_box_now VARCHAR []: The same, where it was in another before that a record names; NULL elsewhere, as the five that follow
-- column other_start TIMESTAMP [UTC]: Last interval in another box
-- column moved_start TIMESTAMP [local time]: Start of its time there
-- column moved_rate DOUBLE [per second]: Highest rate since
-- column moved_queue DOUBLE [I/Os]: Longest queue since
-- column moved_response_ms DOUBLE [milliseconds]: Mean response at that rate
-- column now_start TIMESTAMP [local time]: Start of the first interval with both, in that box
-- column now_rate DOUBLE [per second]: Highest rate since
-- column now_queue DOUBLE [I/Os]: Longest queue since
-- column now_response_ms DOUBLE [milliseconds]: Mean response at that rate
-- column last_seen TIMESTAMP [local time]: End of its last interval, with I/O or without
-- column last_io TIMESTAMP [local time]: End of its last interval with I/O
-- column known_exposures DOUBLE []: Highest known number; NULL if no interval shows it
-- column measured_until TIMESTAMP [local time]: End of the system's last interval
-- column since_exposures DOUBLE []: Exposures that it has since they were last changed, and what follows; NULL where they never were
-- column since_start TIMESTAMP [local time]: From when on
-- column changed_start TIMESTAMP [UTC]: The same
-- column since_rate DOUBLE [per second]: Highest rate since
-- column since_queue DOUBLE [I/Os]: Longest queue since
-- column since_response_ms DOUBLE [milliseconds]: Mean response at that rate
-- column before_exposures DOUBLE []: Exposures before
WITH queued AS (
    SELECT DISTINCT platform, system, volume FROM box_volume_interval WHERE queue_length >= $queue_length
),
seen AS (
    SELECT v.*
    FROM box_volume_interval v
    JOIN queued q ON q.platform = v.platform AND q.system = v.system AND q.volume = v.volume
),
left_box AS ({{ boxes_left_by("queued") }}),
last_place AS (
    SELECT
        platform, system, volume,
        {{ each("max_by(NAME, interval_start)", "box lcu") }},
        max_by(coalesce(is_hyperpav, FALSE), interval_start) AS is_hyperpav
    FROM seen
    GROUP BY platform, system, volume
),
since AS (
    SELECT
        platform, system, volume, box_now, now_lcu, now_hyperpav, left_box_now, other_start,
        min(CASE WHEN is_there THEN local_start END) AS moved_start,
        max(CASE WHEN is_there THEN io_rate END) AS moved_rate,
        max(CASE WHEN is_there THEN queue_length END) AS moved_queue,
        max_by(response_ms, CASE WHEN is_there THEN peak END) AS moved_response_ms,
        min(CASE WHEN is_now THEN local_start END) AS now_start,
        max(CASE WHEN is_now THEN io_rate END) AS now_rate,
        max(CASE WHEN is_now THEN queue_length END) AS now_queue,
        max_by(response_ms, CASE WHEN is_now THEN peak END) AS now_response_ms
    FROM (
        SELECT
            v.*, p.box AS box_now, p.lcu AS now_lcu, p.is_hyperpav AS now_hyperpav, b.box_now AS left_box_now, b.other_start,
            v.wait_ms + v.service_ms AS response_ms, peak_order(v.io_rate, v.interval_start) AS peak,
            v.serial IS NOT NULL AND v.interval_start > b.other_start AS is_there,
            v.lcu = p.lcu AND coalesce(v.is_hyperpav, FALSE) = p.is_hyperpav AND coalesce(v.interval_start > b.other_start, TRUE)
                AS is_now
        FROM seen v
        JOIN last_place p ON p.platform = v.platform AND p.system = v.system AND p.volume = v.volume
        LEFT JOIN left_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    ) AS s
    GROUP BY platform, system, volume, box_now, now_lcu, now_hyperpav, left_box_now, other_start
),
present AS (
    SELECT
        v.platform, v.system, v.volume,
        max(v.local_end) AS last_seen,
        max(CASE WHEN v.io_rate > 0 THEN v.local_end END) AS last_io,
        max(v.exposures) AS known_exposures
    FROM volume_interval v
    JOIN queued q ON q.platform = v.platform AND q.system = v.system AND q.volume = v.volume
    GROUP BY v.platform, v.system, v.volume
),
ended AS (
    SELECT platform, system, max(local_end) AS measured_until FROM volume_interval GROUP BY platform, system
)
SELECT
    s.*, p.last_seen, p.last_io, p.known_exposures, e.measured_until,
    x.exposures_now AS since_exposures, x.local_start AS since_start, x.interval_start AS changed_start, x.io_rate AS since_rate,
    x.queue_length AS since_queue, x.response_ms AS since_response_ms, x.exposures_before AS before_exposures,
    x.before_rate, x.before_outstanding, x.is_new
FROM since s
JOIN present p ON p.platform = s.platform AND p.system = s.system AND p.volume = s.volume
JOIN ended e ON e.platform = s.platform AND e.system = s.system
LEFT JOIN exposure_change x ON x.platform = s.platform AND x.system = s.system AND x.volume = s.volume
ORDER BY s.platform, s.system, s.volume

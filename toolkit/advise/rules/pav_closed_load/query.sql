-- question: pav_closed_load
-- title: Boxes with volumes of closed workload: all their volumes in the worst such interval of each hour of the day
-- grain: one row per box, interval, platform, system, volume; for the first of volumes of closed workload with as many exposures as many rows as there are intervals in which all of them ran as many I/Os with equal exposures (trial_start)
-- parameter $queue_length DOUBLE [I/Os]: Queued in the host, per volume
-- parameter $busy DOUBLE [ratio]: Of its exposures in service
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
-- parameter $alike DOUBLE [ratio]: Of the I/Os outstanding: as many
-- parameter $whole DOUBLE [exposures]: Off a whole number: steady
-- column interval_lost_s DOUBLE [s]: Time in the host's queue in this interval, summed over the I/Os of closed workload
-- column now_lcu VARCHAR []: Logical control unit of the volume in its last interval
-- column now_hyperpav BOOLEAN []: HyperPAV base in its last interval
-- column now_box VARCHAR []: Box of the volume in its last interval; NULL where it was never in another
-- column now_start TIMESTAMP [local time]: Start of the first interval in which it was all that; by the system's clock
-- column queue_since DOUBLE [I/Os]: Longest queue of the volume from there on
-- column rate_since DOUBLE [per second]: Highest rate from there on
-- column response_since_ms DOUBLE [milliseconds]: Mean response in the interval with that rate
-- column closed_s DOUBLE [s]: Time in the host's queue in intervals of closed workload, summed over I/Os
-- column box_in_service DOUBLE []: I/Os in progress of all volumes in the box, mean of its interval
-- column trial_box_in_service DOUBLE []: I/Os in progress of all volumes in the box
-- note: The hour's worst interval stands for the hour: the peak decides, the mean misleads.
WITH worked AS ({{ volumes_and_closed_work() }}),
closed_ever AS (
    SELECT platform, system, volume, box, box_interval_start, interval_start, interval_s, local_start, local_end,
           queue_length, round(exposures) AS exposures
    FROM worked
    WHERE is_closed
),
left_box AS ({{ boxes_left_by("closed_ever") }}),
waits_there AS (
    SELECT DISTINCT v.platform, v.system, v.volume, b.other_start
    FROM box_volume_interval v
    JOIN left_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    WHERE v.interval_start > b.other_start AND NOT v.is_held AND NOT v.is_overfull AND v.queue_length >= $queue_length
),
closed_here AS (
    -- what waits in the box it is in now is reported for that one
    SELECT c.*
    FROM closed_ever c
    LEFT JOIN waits_there w ON w.platform = c.platform AND w.system = c.system AND w.volume = c.volume
    WHERE w.volume IS NULL OR c.interval_start > w.other_start
),
closed_now AS (
    SELECT
        c.*,
        coalesce(NOT x.is_new OR c.exposures = x.exposures_now, TRUE) AS is_as_now,
        bool_or(c.exposures = x.exposures_now) OVER (PARTITION BY c.platform, c.system, c.volume) AS was_as_now
    FROM closed_here c
    LEFT JOIN exposure_change x ON x.platform = c.platform AND x.system = c.system AND x.volume = c.volume
),
closed AS (
    -- what it does with the exposures it has for good now, wherever that was measured
    SELECT * FROM closed_now WHERE is_as_now OR coalesce(NOT was_as_now, TRUE)
),
bad AS (
    SELECT
        box, box_interval_start,
        min(local_start) AS local_start,
        max(local_end) AS local_end,
        sum(queue_length * interval_s) AS lost
    FROM closed
    GROUP BY box, box_interval_start
),
worst AS ({{ worst_run("bad", "box") }}),
ranked AS (
    SELECT
        box, box_interval_start, lost,
        row_number() OVER (PARTITION BY box, hour(local_start) ORDER BY lost DESC, local_start) AS place
    FROM bad
),
longest AS (
    SELECT
        r.box, r.lost, c.box_interval_start, c.interval_start, c.interval_s,
        min(c.local_start) AS local_start,
        max(c.local_end) AS local_end,
        row_number() OVER (
            PARTITION BY r.box, r.box_interval_start ORDER BY sum(c.queue_length) DESC, c.interval_start, c.interval_s
        ) AS place
    FROM ranked r
    JOIN closed c ON c.box = r.box AND c.box_interval_start = r.box_interval_start
    WHERE r.place = 1
    GROUP BY r.box, r.box_interval_start, r.lost, c.box_interval_start, c.interval_start, c.interval_s
),
looked_at AS (
    SELECT * FROM longest WHERE place = 1
),
volume_then AS ({{ volumes_at("looked_at") }}),
of_requesters AS (
    -- near saturation a service time cut to a tenth decides about one volume: others like it wait for the same cause
    SELECT box, box_interval_start, interval_start, interval_s, platform, system, volume
    FROM closed
    UNION
    SELECT v.box, v.box_interval_start, v.interval_start, v.interval_s, v.platform, v.system, v.volume
    FROM worked v
    JOIN closed k ON k.platform = v.platform AND k.system = v.system AND k.volume = v.volume AND k.box = v.box
        AND k.exposures = round(v.exposures)
    WHERE v.is_rest AND v.queue_length >= $queue_length
),
closed_then AS (
    -- of this interval, not of another one that the box's holds too
    SELECT DISTINCT l.box, l.interval_start, c.platform, c.system, c.volume
    FROM looked_at l
    JOIN of_requesters c
        ON c.box = l.box AND c.box_interval_start = l.box_interval_start
        AND unix_micros(c.interval_start) < unix_micros(l.interval_start) + 5e5 * l.interval_s
        AND unix_micros(c.interval_start) + 1e6 * c.interval_s > unix_micros(l.interval_start) + 5e5 * l.interval_s
),
varied AS ({{ volumes_with_trials() }}),
crowd AS (
    SELECT
        s.box, s.interval_start, s.platform, s.system, s.volume,
        round(s.exposures) AS exposures,
        s.in_service + s.queue_length AS outstanding,
        count(*) OVER (PARTITION BY s.box, s.interval_start, round(s.exposures)) AS volumes,
        min(s.volume) OVER (PARTITION BY s.box, s.interval_start, round(s.exposures)) AS first_volume
    FROM volume_then s
    JOIN closed_then c
        ON c.box = s.box AND c.interval_start = s.interval_start
        AND c.platform = s.platform AND c.system = s.system AND c.volume = s.volume
),
trial AS (
    SELECT
        t.box, t.interval_start, t.exposures AS asked_exposures, t.first_volume, v.interval_start AS trial_start,
        min(round(v.exposures)) AS exposures,
        max(v.box_interval_start) AS box_interval_start,
        max(v.interval_s) AS interval_s,
        sum(v.io_rate) AS io_rate,
        sum(v.in_service) AS in_service,
        sum(v.queue_length) AS queue_length,
        sum(v.io_rate * v.read_ratio) / nullif(sum(CASE WHEN v.read_ratio IS NOT NULL THEN v.io_rate END), 0) AS read_ratio
    FROM box_volume_interval v
    JOIN crowd t ON t.platform = v.platform AND t.system = v.system AND t.volume = v.volume AND t.box = v.box
    JOIN varied a ON a.platform = v.platform AND a.system = v.system AND a.volume = v.volume
    WHERE NOT v.is_held AND NOT v.is_overfull AND abs(v.in_service + v.queue_length - t.outstanding) <= $alike * t.outstanding
    GROUP BY t.box, t.interval_start, t.exposures, t.first_volume, t.volumes, v.interval_start
    HAVING count(*) = t.volumes AND min(round(v.exposures)) = max(round(v.exposures))
        AND max(abs(v.exposures - round(v.exposures))) <= $whole
),
headroom_then AS ({{ rows_at("volume_headroom", "volume_then") }}),
last_place AS (
    SELECT platform, system, volume, max_by(lcu, interval_start) AS lcu,
        max_by(coalesce(is_hyperpav, FALSE), interval_start) AS is_hyperpav
    FROM box_volume_interval
    GROUP BY platform, system, volume
),
since AS (
    SELECT
        p.platform, p.system, p.volume, p.lcu, p.is_hyperpav, b.box_now,
        min(s.local_start) AS local_start,
        max(s.queue_length) AS queue_length,
        max(s.io_rate) AS io_rate,
        max_by(s.wait_ms + s.service_ms, peak_order(s.io_rate, s.interval_start)) AS response_ms
    FROM box_volume_interval s
    JOIN last_place p
        ON p.platform = s.platform AND p.system = s.system AND p.volume = s.volume
        AND p.lcu = s.lcu AND p.is_hyperpav = coalesce(s.is_hyperpav, FALSE)
    LEFT JOIN left_box b ON b.platform = s.platform AND b.system = s.system AND b.volume = s.volume
    WHERE b.volume IS NULL OR s.interval_start > b.other_start
    GROUP BY p.platform, p.system, p.volume, p.lcu, p.is_hyperpav, b.box_now
),
share AS (
    SELECT
        platform, system, volume,
        max(CASE WHEN NOT is_closed AND NOT is_rest THEN queue_length END) AS queue_else,
        sum(CASE WHEN is_closed THEN queue_length * interval_s END) AS closed_s
    FROM worked
    GROUP BY platform, system, volume
),
known AS (
    SELECT platform, system, volume, max(exposures) AS known_exposures
    FROM volume_interval
    GROUP BY platform, system, volume
)
SELECT
    s.box, s.interval_start, s.serial, s.control_unit_type, s.platform, s.system, s.volume, s.lcu, r.local_start,
    r.local_end, s.io_rate, s.wait_ms, s.service_ms, s.in_service, s.queue_length, s.exposures, e.known_exposures, s.is_hyperpav,
    s.read_ratio, r.lost AS interval_lost_s, c.volume IS NOT NULL AS is_closed,
    n.lcu AS now_lcu, n.is_hyperpav AS now_hyperpav, n.box_now AS now_box, n.local_start AS now_start, n.queue_length AS queue_since,
    n.io_rate AS rate_since, n.response_ms AS response_since_ms,
    h.queue_else, h.closed_s,
    a.cmr_ms, y.above_ms AS way_above_ms, a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms, a.back_end_best_ms, a.channel_used_ratio,
    v.points, v.elasticity_ratio, v.fit_ratio, v.spread_ratio, v.in_service_max, v.in_service_min,
    x.exposures_now AS since_exposures, x.local_start AS since_start, x.io_rate AS since_rate,
    x.queue_length AS since_queue, x.response_ms AS since_response_ms, x.exposures_before AS before_exposures, x.before_rate, x.before_outstanding, x.is_new,
    i.in_service AS box_in_service, t.trial_start, t.interval_s AS trial_s, t.exposures AS trial_exposures, t.io_rate AS trial_rate,
    t.in_service AS trial_in_service, t.queue_length AS trial_queue, t.read_ratio AS trial_read_ratio,
    j.in_service AS trial_box_in_service,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end, w.bad_days
FROM looked_at r
JOIN volume_then s ON s.box = r.box AND s.interval_start = r.interval_start AND s.interval_s = r.interval_s
JOIN worst w ON w.box = r.box
LEFT JOIN known e ON e.platform = s.platform AND e.system = s.system AND e.volume = s.volume
JOIN share h ON h.platform = s.platform AND h.system = s.system AND h.volume = s.volume
LEFT JOIN since n ON n.platform = s.platform AND n.system = s.system AND n.volume = s.volume
LEFT JOIN headroom_then a
    ON a.platform = s.platform AND a.system = s.system AND a.volume = s.volume AND a.interval_start = s.interval_start
LEFT JOIN box_curve v ON v.box = r.box
LEFT JOIN exposure_change x ON x.platform = s.platform AND x.system = s.system AND x.volume = s.volume
LEFT JOIN closed_then c
    ON c.box = s.box AND c.interval_start = s.interval_start
    AND c.platform = s.platform AND c.system = s.system AND c.volume = s.volume
LEFT JOIN box_interval i ON i.box = r.box AND i.interval_start = r.box_interval_start
LEFT JOIN trial t
    ON t.box = s.box AND t.interval_start = s.interval_start AND t.first_volume = CASE WHEN c.volume IS NOT NULL THEN s.volume END
    AND t.asked_exposures = round(s.exposures)
LEFT JOIN way_interval y
    ON y.platform = s.platform AND y.system = s.system AND y.lcu = s.lcu AND y.interval_start = s.interval_start
LEFT JOIN box_interval j ON j.box = t.box AND j.interval_start = t.box_interval_start
ORDER BY s.box, s.interval_start, s.system, s.volume, t.trial_start

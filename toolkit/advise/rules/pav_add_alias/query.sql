-- question: pav_add_alias
-- title: Volumes without HyperPAV that wait, in their peak interval and the worst of each hour of the day
-- grain: one row per platform, system, volume and interval; for the peak interval as many rows as there are intervals of as many I/Os, or of more without a wait, with any number of exposures, where the volume had several (trial_start)
-- parameter $queue_length DOUBLE [I/Os]: Queued at once in the worst interval
-- parameter $wait_share DOUBLE [ratio]: Of the response time of that interval
-- parameter $busy DOUBLE [ratio]: Of its exposures in service: closed workload from here on
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make: closed workload below
-- parameter $alike DOUBLE [ratio]: Of the rate: as many I/Os
-- parameter $whole DOUBLE [exposures]: Off a whole number: steady
-- parameter $cleared_ms DOUBLE [ms]: No wait
-- column mean_rate DOUBLE [per second]: Mean rate over the span
-- column mean_wait_ms DOUBLE [milliseconds]: Mean IOSQ over the span, weighted by rate
-- column mean_response_ms DOUBLE [milliseconds]: Mean response over the span, weighted by rate
-- column is_peak BOOLEAN []: The interval with the volume's longest queue
-- column is_hour BOOLEAN []: The worst interval of its hour of the day
-- column moved_queue DOUBLE []: Longest queue since
-- column last_seen TIMESTAMP [local time]: End of its last interval, with I/O or without
-- column last_io TIMESTAMP [local time]: End of its last interval with I/O
-- column known_exposures DOUBLE []: The most that are known of; NULL where no interval shows them
-- column measured_until TIMESTAMP [local time]: End of the system's last interval
-- column since_exposures DOUBLE []: Exposures that it has since they were last changed, and what follows; NULL where they never were
-- column since_queue DOUBLE []: Longest queue since
-- column before_exposures DOUBLE []: Exposures before
-- column trial_exposures DOUBLE []: Base plus aliases
-- column trial_wait_ms DOUBLE [milliseconds]: Mean IOSQ
-- column trial_service_ms DOUBLE [milliseconds]: Service time
-- note: The peak interval, and the worst interval of each hour of the day with such a queue. Intervals of closed workload count only where there are no others: closed_load reports them. Intervals from which nothing follows (view unfit_interval) count for nothing.
WITH candidate AS (
    SELECT *
    FROM pav_candidate
    -- those that got enough since are reported once more, as what was done helped
    WHERE (verdict = 'add' OR (verdict = 'enough' AND queue_length_peak >= $queue_length)) AND is_hyperpav IS NOT TRUE
),
worked AS ({{ closed_work() }}),
left_box AS ({{ boxes_left_by("candidate") }}),
moved AS (
    SELECT
        v.platform, v.system, v.volume,
        min(v.interval_start) AS interval_start,
        min(v.local_start) AS moved_start,
        max(v.io_rate) AS moved_rate,
        max(v.queue_length) AS moved_queue,
        max_by(v.wait_ms + v.service_ms, peak_order(v.io_rate, v.interval_start)) AS moved_response_ms,
        bool_or(
            NOT v.is_held AND NOT v.is_overfull AND v.queue_length >= $queue_length
            AND v.wait_ms >= $wait_share * (v.wait_ms + v.service_ms)
        ) AS waits_there
    FROM box_volume_interval v
    JOIN left_box o ON o.platform = v.platform AND o.system = v.system AND o.volume = v.volume
    WHERE v.serial IS NOT NULL AND v.interval_start > o.other_start
    GROUP BY v.platform, v.system, v.volume
),
waits_since AS (
    -- with the exposures it got for good, or in the box it is in now: the intervals before say nothing of them
    SELECT platform, system, volume, interval_start AS since_start FROM moved WHERE waits_there
    UNION ALL
    SELECT v.platform, v.system, v.volume, x.interval_start
    FROM box_volume_interval v
    JOIN exposure_change x ON x.platform = v.platform AND x.system = v.system AND x.volume = v.volume
        AND x.interval_start <= v.interval_start
    WHERE x.is_new AND NOT v.is_held AND NOT v.is_overfull AND v.queue_length >= $queue_length AND v.wait_ms >= $wait_share * (v.wait_ms + v.service_ms)
),
waits_still AS (
    SELECT platform, system, volume, max(since_start) AS since_start FROM waits_since GROUP BY platform, system, volume
),
seen AS (
    SELECT
        v.platform, v.system, v.volume, v.box, v.interval_start, v.interval_s, v.local_start, v.local_end, v.io_rate, v.wait_ms,
        v.service_ms, v.queue_length, v.exposures, coalesce(k.is_closed OR k.is_rest, FALSE) AS of_requesters,
        NOT v.is_held AND NOT v.is_overfull AS is_fit,
        NOT v.is_held AND NOT v.is_overfull
            AND v.queue_length >= $queue_length AND v.wait_ms >= $wait_share * (v.wait_ms + v.service_ms) AS is_bad,
        i.in_service AS in_box, i.volumes, i.read_ratio,
        v.interval_start = c.peak_start AS is_peak
    FROM box_volume_interval v
    JOIN candidate c ON c.platform = v.platform AND c.system = v.system AND c.volume = v.volume
    LEFT JOIN worked k
        ON k.platform = v.platform AND k.system = v.system AND k.volume = v.volume AND k.interval_start = v.interval_start
    JOIN box_interval i ON i.box = v.box AND i.interval_start = v.box_interval_start
    LEFT JOIN waits_still y ON y.platform = v.platform AND y.system = v.system AND y.volume = v.volume
    WHERE y.volume IS NULL OR v.interval_start >= y.since_start
),
judged AS (
    SELECT *, NOT bool_or(is_bad AND NOT of_requesters) OVER (PARTITION BY platform, system, volume) AS is_closed
    FROM seen
),
measured AS (
    SELECT * FROM judged WHERE is_closed OR NOT of_requesters
),
bad AS (
    SELECT *, queue_length * interval_s AS lost
    FROM measured
    WHERE is_bad
),
worst AS ({{ worst_run("bad", "platform, system, volume") }}),
total AS (
    SELECT
        platform, system, volume,
        sum(CASE WHEN is_fit THEN queue_length * interval_s END) AS lost_s
    FROM measured
    GROUP BY platform, system, volume
),
ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY platform, system, volume, hour(local_start) ORDER BY queue_length DESC, local_start
        ) AS place
    FROM bad
),
varied AS ({{ volumes_with_trials() }}),
trial AS (
    SELECT
        m.platform, m.system, m.volume, v.interval_start, v.interval_s, v.exposures, v.io_rate, v.wait_ms, v.service_ms, v.read_ratio
    FROM box_volume_interval v
    JOIN measured m ON m.platform = v.platform AND m.system = v.system AND m.volume = v.volume
    JOIN varied a ON a.platform = v.platform AND a.system = v.system AND a.volume = v.volume
    -- another box serves in other times
    WHERE m.is_peak AND v.box = m.box AND NOT v.is_held AND NOT v.is_overfull AND v.io_rate >= (1 - $alike) * m.io_rate
        AND (v.io_rate <= (1 + $alike) * m.io_rate OR v.wait_ms < $cleared_ms)
        AND abs(v.exposures - round(v.exposures)) <= $whole
),
shown AS (
    SELECT platform, system, volume, box, interval_start, local_start, local_end, io_rate, wait_ms, service_ms, queue_length, in_box,
           volumes, read_ratio, exposures, is_closed, is_peak, coalesce(place = 1, FALSE) AS is_hour
    FROM ranked
    WHERE place = 1 OR is_peak
),
housed AS (
    SELECT v.platform, v.system, v.volume, max_by(v.box, v.interval_start) AS box_now
    FROM box_volume_interval v
    JOIN candidate c ON c.platform = v.platform AND c.system = v.system AND c.volume = v.volume
    GROUP BY v.platform, v.system, v.volume
),
present AS (
    SELECT
        v.platform, v.system, v.volume,
        max(v.local_end) AS last_seen,
        max(CASE WHEN v.io_rate > 0 THEN v.local_end END) AS last_io,
        max(v.exposures) AS known_exposures
    FROM volume_interval v
    JOIN candidate c ON c.platform = v.platform AND c.system = v.system AND c.volume = v.volume
    GROUP BY v.platform, v.system, v.volume
),
ended AS (
    SELECT platform, system, max(local_end) AS measured_until FROM volume_interval GROUP BY platform, system
),
volume_then AS ({{ rows_at("volume_interval", "shown") }}),
of_box_then AS ({{ rows_at("box_volume_interval", "shown") }}),
headroom_then AS ({{ rows_at("volume_headroom", "shown") }})
SELECT
    c.platform, c.system, c.volume, c.lcu, c.verdict, s.exposures,
    c.io_rate AS mean_rate, c.wait_ms AS mean_wait_ms, c.response_ms AS mean_response_ms, c.wait_share_ratio,
    n.lost_s, s.is_peak, s.is_hour, s.is_closed, s.local_start, s.local_end, s.box,
    o.box_now, h.moved_start, h.moved_rate, h.moved_queue, h.moved_response_ms, b.last_seen, b.last_io, b.known_exposures, u.measured_until, s.queue_length, s.wait_ms, s.io_rate,
    s.service_ms, s.in_box, s.volumes, s.read_ratio, l.css_delay_ms, l.cu_busy_delay_ms, i.cmr_ms, e.above_ms AS way_above_ms,
    a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms, a.back_end_best_ms, a.channel_used_ratio,
    v.points, v.elasticity_ratio, v.fit_ratio, v.spread_ratio, v.in_service_max, v.in_service_min,
    x.exposures_now AS since_exposures, x.local_start AS since_start, x.io_rate AS since_rate,
    x.queue_length AS since_queue, x.response_ms AS since_response_ms, x.exposures_before AS before_exposures, x.before_rate, x.before_outstanding, x.is_new,
    s.interval_start, y.read_ratio AS own_read_ratio,
    t.interval_start AS trial_start, t.interval_s AS trial_s, t.exposures AS trial_exposures, t.io_rate AS trial_rate, t.wait_ms AS trial_wait_ms,
    t.service_ms AS trial_service_ms, t.read_ratio AS trial_read_ratio,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end, w.bad_days
FROM candidate c
JOIN total n ON n.platform = c.platform AND n.system = c.system AND n.volume = c.volume
JOIN worst w ON w.platform = c.platform AND w.system = c.system AND w.volume = c.volume
JOIN shown s ON s.platform = c.platform AND s.system = c.system AND s.volume = c.volume
JOIN housed o ON o.platform = c.platform AND o.system = c.system AND o.volume = c.volume
JOIN present b ON b.platform = c.platform AND b.system = c.system AND b.volume = c.volume
JOIN ended u ON u.platform = c.platform AND u.system = c.system
LEFT JOIN volume_then i
    ON i.platform = s.platform AND i.system = s.system AND i.volume = s.volume AND i.interval_start = s.interval_start
LEFT JOIN lcu_interval l
    ON l.platform = i.platform AND l.system = i.system AND l.lcu = i.lcu AND l.interval_start = i.interval_start
LEFT JOIN way_interval e
    ON e.platform = i.platform AND e.system = i.system AND e.lcu = i.lcu AND e.interval_start = i.interval_start
LEFT JOIN headroom_then a
    ON a.platform = s.platform AND a.system = s.system AND a.volume = s.volume AND a.interval_start = s.interval_start
LEFT JOIN box_curve v ON v.box = s.box
LEFT JOIN moved h ON h.platform = c.platform AND h.system = c.system AND h.volume = c.volume
LEFT JOIN exposure_change x ON x.platform = c.platform AND x.system = c.system AND x.volume = c.volume
LEFT JOIN of_box_then y
    ON y.platform = s.platform AND y.system = s.system AND y.volume = s.volume AND y.interval_start = s.interval_start
LEFT JOIN trial t
    ON t.platform = s.platform AND t.system = s.system AND t.volume = CASE WHEN s.is_peak THEN s.volume END
ORDER BY n.lost_s DESC, c.platform, c.system, c.volume, s.local_start, t.interval_start

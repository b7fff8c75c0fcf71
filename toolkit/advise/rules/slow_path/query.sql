-- question: slow_path
-- title: LCUs whose command response time is far above their best intervals, or above that of others; pend if it is unknown
-- grain: one row per platform, system, lcu
-- parameter $io_rate DOUBLE [per s]: Rate of the LCU below which CMR scatters
-- parameter $above_ms DOUBLE [ms]: Above the usual value
-- parameter $above_factor DOUBLE []: Times the usual value
-- parameter $pacing_ms DOUBLE [ms]: Wait of a frame for a buffer, for a port to be named
-- parameter $port_errors DOUBLE [events]: Errors then, for a port to be named
-- parameter $deep_share DOUBLE [ratio]: Lost of the response of an interval that counts by its depth
-- column is_pend BOOLEAN []: No command response time is recorded; the columns that follow use pend of the volumes without device busy
-- column peak_cmr_ms DOUBLE [milliseconds]: Command response time, worst interval
-- column is_rise BOOLEAN []: Slower than in its own best intervals; otherwise only slower than other LCUs
-- column port_kind VARCHAR []: What is attached to it
-- column path_cmr_ms DOUBLE [milliseconds]: Command response time on it
-- column other_paths_ms DOUBLE [milliseconds]: The same on the LCU's other paths, weighted by the I/Os that took them
-- column other_paths BIGINT []: How many these are
-- column are_channels_recorded BOOLEAN []: Records show the channels of the LCU
-- column are_paths_recorded BOOLEAN []: Records show the channel paths of the LCU
WITH {{ slow_paths("$io_rate", "$above_ms", "$above_factor") }},
{{ long_pend("$io_rate", "$above_ms", "$above_factor") }},
either AS (
    SELECT
        platform, system, lcu, interval_start, interval_s, local_start, local_end, io_rate, cmr_ms, usual_ms, others_ms,
        response_ms, wait_ms, is_above_own, cu_busy_ratio, cu_busy_delay_ms,
        FALSE AS is_pend, CAST(NULL AS BIGINT) AS volumes
    FROM slow
    UNION ALL
    SELECT
        platform, system, lcu, interval_start, interval_s, local_start, local_end, io_rate, pend_ms, usual_ms, NULL,
        response_ms, wait_ms, TRUE, NULL, NULL, TRUE, volumes
    FROM pending
),
bad AS (
    SELECT *, io_rate * (cmr_ms - usual_ms) * interval_s / 1000 AS lost FROM either
),
worst AS ({{ worst_run("bad", "platform, system, lcu") }}),
deep AS (
    SELECT * FROM bad WHERE cmr_ms - usual_ms >= $deep_share * response_ms
),
deepest AS ({{ worst_run("deep", "platform, system, lcu") }}),
total AS (
    SELECT
        platform, system, lcu,
        max(cmr_ms) AS peak_cmr_ms,
        sum(io_rate * cmr_ms) / sum(io_rate) AS cmr_ms,
        sum(io_rate * usual_ms) / sum(io_rate) AS usual_ms,
        max(others_ms) AS others_ms,
        {{ mean_of("response_ms", "io_rate") }} AS response_ms,
        {{ mean_of("wait_ms", "io_rate") }} AS wait_ms,
        bool_or(is_above_own) AS is_rise,
        bool_or(is_pend) AS is_pend,
        max(volumes) AS volumes,
        sum(lost) AS lost_s,
        sum(io_rate * cu_busy_ratio) / sum(CASE WHEN cu_busy_ratio IS NOT NULL THEN io_rate END) AS cu_busy_ratio,
        sum(io_rate * cu_busy_delay_ms) / sum(CASE WHEN cu_busy_delay_ms IS NOT NULL THEN io_rate END)
            AS cu_busy_delay_ms
    FROM bad
    GROUP BY platform, system, lcu
),
by_path AS (
    SELECT
        p.platform, p.system, p.lcu, p.channel_path,
        sum(p.taken_rate) AS taken_rate,
        sum(p.taken_rate * p.cmr_ms) / nullif(sum(p.taken_rate), 0) AS cmr_ms
    FROM bad b
    JOIN lcu_path_on_device_clock p
        ON p.platform = b.platform AND p.system = b.system AND p.lcu = b.lcu AND p.interval_start = b.interval_start
    WHERE p.taken_rate > 0 AND p.cmr_ms IS NOT NULL
    GROUP BY p.platform, p.system, p.lcu, p.channel_path
),
path_place AS (
    SELECT
        platform, system, lcu, channel_path, cmr_ms,
        row_number() OVER (PARTITION BY platform, system, lcu ORDER BY cmr_ms DESC, channel_path) AS place,
        count(*) OVER (PARTITION BY platform, system, lcu) - 1 AS other_paths,
        (sum(taken_rate * cmr_ms) OVER (PARTITION BY platform, system, lcu) - taken_rate * cmr_ms)
            / nullif(sum(taken_rate) OVER (PARTITION BY platform, system, lcu) - taken_rate, 0) AS others_ms
    FROM by_path
),
path AS (
    -- the one that is as much slower than the others as a slow LCU is than others
    SELECT platform, system, lcu, channel_path, cmr_ms, other_paths, others_ms
    FROM path_place
    WHERE place = 1 AND cmr_ms >= others_ms + $above_ms AND cmr_ms >= $above_factor * others_ms
),
behind AS (
    -- a director knows a channel by two digits, whichever channel subsystem it is in
    SELECT b.platform, b.system, b.lcu, p.director, p.port, max(p.kind) AS kind, max(c.channel_path) AS channel_path
    FROM (SELECT DISTINCT platform, system, lcu FROM bad) b
    JOIN (SELECT DISTINCT platform, system, director, port, kind, attached FROM director_port_interval) p
        ON p.platform = b.platform AND p.system = b.system
    LEFT JOIN (SELECT DISTINCT platform, system, lcu, channel_path FROM lcu_path_interval) c
        ON c.platform = b.platform AND c.system = b.system AND c.lcu = b.lcu
        AND right(c.channel_path, 2) = CASE WHEN p.kind = 'channel' THEN right(p.attached, 2) END
    WHERE c.channel_path IS NOT NULL OR p.kind LIKE 'control unit%'
    GROUP BY b.platform, b.system, b.lcu, p.director, p.port
),
bad_clock AS (
    SELECT DISTINCT b.platform, b.system, b.lcu, p.interval_start
    FROM bad b
    JOIN (SELECT DISTINCT platform, system, interval_start, interval_s FROM director_port_interval) p
        ON p.platform = b.platform AND p.system = b.system
        AND unix_micros(p.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(p.interval_start) + p.interval_s * 1e6 > unix_micros(b.interval_start)
),
port_load AS (
    SELECT
        h.platform, h.system, h.lcu, h.director, h.port, h.kind, h.channel_path,
        max(CASE WHEN t.lcu IS NOT NULL THEN p.frame_pacing_ms END) AS frame_pacing_ms,
        sum(CASE WHEN t.lcu IS NOT NULL THEN p.error_count END) AS error_count,
        sum(CASE WHEN t.lcu IS NOT NULL THEN p.interval_s END) AS then_s,
        avg(CASE WHEN t.lcu IS NULL THEN p.frame_pacing_ms END) AS usual_pacing_ms,
        sum(CASE WHEN t.lcu IS NULL THEN p.error_count END)
            / sum(CASE WHEN t.lcu IS NULL AND p.error_count IS NOT NULL THEN p.interval_s END) AS usual_error_rate
    FROM behind h
    JOIN director_port_interval p
        ON p.platform = h.platform AND p.system = h.system AND p.director = h.director AND p.port = h.port
    LEFT JOIN bad_clock t
        ON t.platform = h.platform AND t.system = h.system AND t.lcu = h.lcu AND t.interval_start = p.interval_start
    GROUP BY h.platform, h.system, h.lcu, h.director, h.port, h.kind, h.channel_path
),
-- what the port in the middle has then: where all are the same, none is the cause
port_others AS (
    SELECT
        a.platform, a.system, a.lcu, a.director, a.port,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY o.frame_pacing_ms) AS frame_pacing_ms,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY o.error_count) AS error_count
    FROM port_load a
    JOIN port_load o
        ON o.platform = a.platform AND o.system = a.system AND o.lcu = a.lcu
        AND (o.director <> a.director OR o.port <> a.port)
    GROUP BY a.platform, a.system, a.lcu, a.director, a.port
),
odd AS (
    SELECT
        p.platform, p.system, p.lcu, p.director, p.port, p.kind, p.channel_path,
        CASE
            WHEN p.frame_pacing_ms >= $pacing_ms
                AND p.frame_pacing_ms >= $above_factor * coalesce(p.usual_pacing_ms, 0)
                AND p.frame_pacing_ms >= $above_factor * coalesce(o.frame_pacing_ms, 0)
                THEN p.frame_pacing_ms
        END AS frame_pacing_ms,
        CASE
            WHEN p.error_count >= $port_errors
                AND p.error_count >= $above_factor * coalesce(p.usual_error_rate * p.then_s, 0)
                AND p.error_count >= $above_factor * coalesce(o.error_count, 0)
                THEN p.error_count
        END AS error_count
    FROM port_load p
    LEFT JOIN port_others o
        ON o.platform = p.platform AND o.system = p.system AND o.lcu = p.lcu
        AND o.director = p.director AND o.port = p.port
),
port AS (
    SELECT
        o.platform, o.system, o.lcu, o.director, o.port, o.kind, o.frame_pacing_ms, o.error_count,
        row_number() OVER (
            PARTITION BY o.platform, o.system, o.lcu
            ORDER BY
                CASE WHEN o.channel_path = w.channel_path THEN 0 ELSE 1 END, coalesce(o.frame_pacing_ms, 0) DESC,
                coalesce(o.error_count, 0) DESC, o.director, o.port
        ) AS place
    FROM odd o
    LEFT JOIN path w ON w.platform = o.platform AND w.system = o.system AND w.lcu = o.lcu
    WHERE (o.frame_pacing_ms IS NOT NULL OR o.error_count IS NOT NULL)
        AND (w.channel_path IS NULL OR o.kind <> 'channel' OR o.channel_path = w.channel_path)
),
counted AS (
    SELECT b.platform, b.system, b.lcu, b.interval_start, count(c.interval_start) AS channels
    FROM bad b
    LEFT JOIN (SELECT DISTINCT platform, system, interval_start, interval_s FROM disk_channel_interval) c
        ON c.platform = b.platform AND c.system = b.system
        AND unix_micros(c.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(c.interval_start) + c.interval_s * 1e6 > unix_micros(b.interval_start)
    GROUP BY b.platform, b.system, b.lcu, b.interval_start
),
recorded AS (
    SELECT platform, system, lcu, min(channels) > 0 AS are_channels_recorded FROM counted GROUP BY platform, system, lcu
),
reached AS (
    SELECT DISTINCT platform, system, lcu FROM lcu_path_interval
),
{{ waiting_within("bad") }}
SELECT
    t.platform, t.system, t.lcu, t.is_pend, t.volumes, t.peak_cmr_ms, t.cmr_ms, t.usual_ms, t.others_ms, t.response_ms, t.wait_ms, t.lost_s,
    t.is_rise, p.director, p.port, p.kind AS port_kind, p.frame_pacing_ms, p.error_count,
    h.channel_path, h.cmr_ms AS path_cmr_ms, h.others_ms AS other_paths_ms, h.other_paths, t.cu_busy_ratio,
    t.cu_busy_delay_ms, e.are_channels_recorded, r.lcu IS NOT NULL AS are_paths_recorded, q.waiting,
    d.worst_lost AS deep_s, w.longest_s, w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.lcu = t.lcu
LEFT JOIN deepest d ON d.platform = t.platform AND d.system = t.system AND d.lcu = t.lcu
LEFT JOIN port p ON p.platform = t.platform AND p.system = t.system AND p.lcu = t.lcu AND p.place = 1
LEFT JOIN path h ON h.platform = t.platform AND h.system = t.system AND h.lcu = t.lcu
JOIN recorded e ON e.platform = t.platform AND e.system = t.system AND e.lcu = t.lcu
LEFT JOIN reached r ON r.platform = t.platform AND r.system = t.system AND r.lcu = t.lcu
LEFT JOIN waiting q ON q.platform = t.platform AND q.system = t.system AND q.lcu = t.lcu
ORDER BY t.platform, t.lcu, t.lost_s DESC

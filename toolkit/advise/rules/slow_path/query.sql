-- question: slow_path
-- title: LCUs whose command response time is far above what it was in their best intervals, or above that of others
-- grain: one row per platform, system, lcu
-- parameter $io_rate DOUBLE [per s]: Rate of the LCU below which CMR scatters
-- parameter $above_ms DOUBLE [ms]: Above the usual value
-- parameter $above_factor DOUBLE []: Times the usual value
-- parameter $pacing_ms DOUBLE [ms]: Wait of a frame for a buffer, for a port to be named
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column peak_cmr_ms DOUBLE [milliseconds]: Command response time, worst interval
-- column cmr_ms DOUBLE [milliseconds]: Command response time, weighted by rate
-- column usual_ms DOUBLE [milliseconds]: Command response time, usual
-- column others_ms DOUBLE [milliseconds]: Highest median of the system's other LCUs in one of these intervals
-- column response_ms DOUBLE [milliseconds]: Mean response, weighted by rate
-- column wait_ms DOUBLE [milliseconds]: Mean IOSQ, weighted by rate
-- column lost_s DOUBLE [s]: Command response time above the usual value, summed over I/Os
-- column span_s DOUBLE [s]: Length of all intervals
-- column is_rise BOOLEAN []: It is slower than in its own best intervals; else only slower than other LCUs
-- column director VARCHAR []: Director with the worst port then, of those that lead to control units or to the LCU's channels; NULL where no port waits, as what follows
-- column port VARCHAR []: That port
-- column port_kind VARCHAR []: What is attached to it
-- column frame_pacing_ms DOUBLE [milliseconds]: Longest mean wait of its frames for a buffer
-- column error_count DOUBLE [events]: Its errors then
-- column waiting VARCHAR []: Volumes that wait in the host mostly then, separated by |
-- column longest_s DOUBLE [s]: Most bad seconds in a run
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
WITH measured AS (
    SELECT
        platform, system, lcu, interval_start, interval_s, local_start, local_end, io_rate, cmr_ms, wait_ms, response_ms
    FROM lcu_interval
    WHERE io_rate >= $io_rate AND cmr_ms IS NOT NULL
),
own AS (
    -- the fourth of its fastest intervals: what the path can do, whatever share of the span it was slow
    SELECT platform, system, lcu, max(cmr_ms) AS own_ms
    FROM (
        SELECT platform, system, lcu, cmr_ms,
            row_number() OVER (PARTITION BY platform, system, lcu ORDER BY cmr_ms) AS place
        FROM measured
    ) AS fastest
    WHERE place <= 4
    GROUP BY platform, system, lcu
),
others AS (
    SELECT
        m.platform, m.system, m.lcu, m.interval_start,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY o.cmr_ms) AS others_ms
    FROM measured m
    JOIN measured o
        ON o.platform = m.platform AND o.system = m.system AND o.interval_start = m.interval_start AND o.lcu <> m.lcu
    GROUP BY m.platform, m.system, m.lcu, m.interval_start
),
compared AS (
    SELECT
        m.*, o.own_ms, p.others_ms,
        cmr_ms >= o.own_ms + $above_ms AND cmr_ms >= $above_factor * o.own_ms AS is_above_own,
        coalesce(cmr_ms >= p.others_ms + $above_ms AND cmr_ms >= $above_factor * p.others_ms, FALSE) AS is_above_others
    FROM measured m
    JOIN own o ON o.platform = m.platform AND o.system = m.system AND o.lcu = m.lcu
    LEFT JOIN others p
        ON p.platform = m.platform AND p.system = m.system AND p.lcu = m.lcu AND p.interval_start = m.interval_start
),
slow AS (
    SELECT *, CASE WHEN is_above_own THEN own_ms ELSE others_ms END AS usual_ms
    FROM compared
    WHERE is_above_own OR is_above_others
),
bad AS (
    SELECT *, io_rate * (cmr_ms - usual_ms) * interval_s / 1000 AS lost FROM slow
),
worst AS (/* worst run of bad by platform, system, lcu */),
total AS (
    SELECT
        platform, system, lcu,
        max(cmr_ms) AS peak_cmr_ms,
        sum(io_rate * cmr_ms) / sum(io_rate) AS cmr_ms,
        sum(io_rate * usual_ms) / sum(io_rate) AS usual_ms,
        max(others_ms) AS others_ms,
        sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
        sum(io_rate * wait_ms) / sum(io_rate) AS wait_ms,
        bool_or(is_above_own) AS is_rise,
        sum(lost) AS lost_s
    FROM bad
    GROUP BY platform, system, lcu
),
behind AS (
    SELECT
        b.platform, b.system, b.lcu, p.director, p.port,
        max(p.kind) AS kind,
        max(p.frame_pacing_ms) AS frame_pacing_ms,
        sum(p.error_count) AS error_count
    FROM bad b
    JOIN director_port_interval p
        ON p.platform = b.platform AND p.system = b.system
        AND unix_micros(p.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(p.interval_start) + p.interval_s * 1e6 > unix_micros(b.interval_start)
    LEFT JOIN (SELECT DISTINCT platform, system, lcu, channel_path FROM lcu_path_interval) c
        ON c.platform = b.platform AND c.system = b.system AND c.lcu = b.lcu AND c.channel_path = p.attached
    WHERE (c.channel_path IS NOT NULL OR p.kind LIKE 'control unit%')
        AND (p.frame_pacing_ms >= $pacing_ms OR p.error_count > 0)
    GROUP BY b.platform, b.system, b.lcu, p.director, p.port
),
port AS (
    SELECT
        platform, system, lcu, director, port, kind, frame_pacing_ms, error_count,
        row_number() OVER (
            PARTITION BY platform, system, lcu ORDER BY frame_pacing_ms DESC, error_count DESC, director, port
        ) AS place
    FROM behind
),
queue AS (
    SELECT
        v.platform, v.system, v.lcu, v.volume,
        sum(CASE WHEN b.lcu IS NOT NULL THEN v.queue_length END) AS queued_then,
        max(CASE WHEN b.lcu IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    LEFT JOIN bad b
        ON b.platform = v.platform AND b.system = v.system AND b.lcu = v.lcu AND b.interval_start = v.interval_start
    GROUP BY v.platform, v.system, v.lcu, v.volume
),
waiting AS (
    SELECT platform, system, lcu, string_agg(volume, '|' ORDER BY volume) AS waiting
    FROM queue
    -- a queue at other times, of the length that pav_add_alias looks for, has another cause
    WHERE queued_then > 0 AND coalesce(queue_else, 0) < 0.5
    GROUP BY platform, system, lcu
),
span AS (
    SELECT platform, system, lcu, sum(interval_s) AS span_s FROM lcu_interval GROUP BY platform, system, lcu
)
SELECT
    t.platform, t.system, t.lcu, t.peak_cmr_ms, t.cmr_ms, t.usual_ms, t.others_ms, t.response_ms, t.wait_ms, t.lost_s,
    s.span_s, t.is_rise, p.director, p.port, p.kind AS port_kind, p.frame_pacing_ms, p.error_count, q.waiting,
    w.longest_s, w.window_start, w.window_end, w.bad_intervals, w.runs
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.lcu = t.lcu
JOIN span s ON s.platform = t.platform AND s.system = t.system AND s.lcu = t.lcu
LEFT JOIN port p ON p.platform = t.platform AND p.system = t.system AND p.lcu = t.lcu AND p.place = 1
LEFT JOIN waiting q ON q.platform = t.platform AND q.system = t.system AND q.lcu = t.lcu
ORDER BY t.platform, t.lcu, t.lost_s DESC

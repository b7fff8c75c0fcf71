-- question: disc_untold
-- title: LCUs whose disconnect is far above what it was in their best intervals, without cache records
-- grain: one row per platform, system, lcu
-- parameter $io_rate DOUBLE [per s]: Rate of the LCU below which its times scatter
-- parameter $above_ms DOUBLE [ms]: Above the usual value
-- parameter $above_factor DOUBLE []: Times the usual value
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that gathered
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column io_rate DOUBLE [per second]: Rate of the LCU, mean of these intervals
-- column disc_ms DOUBLE [milliseconds]: Disconnect, weighted by rate
-- column peak_disc_ms DOUBLE [milliseconds]: Disconnect, worst interval
-- column usual_ms DOUBLE [milliseconds]: Disconnect in the fourth of the LCU's best intervals
-- column response_ms DOUBLE [milliseconds]: Mean response, weighted by rate
-- column lost_s DOUBLE [s]: Disconnect above the usual value, summed over I/Os
-- column span_s DOUBLE [s]: Length of all intervals
-- column longest_s DOUBLE [s]: Most bad seconds in a run
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- column last_end TIMESTAMP [local time]: End of the last of them
WITH lcu_disc AS (
    SELECT
        platform, system, lcu, interval_start,
        max(interval_s) AS interval_s,
        min(local_start) AS local_start,
        max(local_end) AS local_end,
        sum(io_rate) AS io_rate,
        sum(io_rate * disc_ms) / sum(io_rate) AS disc_ms,
        sum(io_rate * coalesce(response_ms, service_ms)) / sum(io_rate) AS response_ms,
        count(read_ratio) AS told_volumes
    FROM volume_interval
    WHERE io_rate > 0 AND disc_ms IS NOT NULL AND service_ms IS NOT NULL AND lcu IS NOT NULL
    GROUP BY platform, system, lcu, interval_start
),
busy AS (
    SELECT * FROM lcu_disc WHERE io_rate >= $io_rate
),
best AS (
    /* best disc_ms of busy by platform, system, lcu */
),
bad AS (
    SELECT b.*, u.best_ms AS usual_ms, b.io_rate * (b.disc_ms - u.best_ms) * b.interval_s / 1000 AS lost
    FROM busy b
    JOIN best u ON u.platform = b.platform AND u.system = b.system AND u.lcu = b.lcu
    WHERE b.told_volumes = 0 AND b.disc_ms >= u.best_ms + $above_ms AND b.disc_ms >= $above_factor * u.best_ms
),
worst AS (/* worst run of bad by platform, system, lcu */),
total AS (
    SELECT
        platform, system, lcu,
        avg(io_rate) AS io_rate,
        sum(io_rate * disc_ms) / sum(io_rate) AS disc_ms,
        max(disc_ms) AS peak_disc_ms,
        max(usual_ms) AS usual_ms,
        sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
        sum(lost) AS lost_s
    FROM bad
    GROUP BY platform, system, lcu
),
span AS (
    SELECT platform, system, lcu, sum(interval_s) AS span_s FROM lcu_disc GROUP BY platform, system, lcu
)
SELECT
    t.platform, t.system, t.lcu, t.io_rate, t.disc_ms, t.peak_disc_ms, t.usual_ms, t.response_ms, t.lost_s, s.span_s,
    w.longest_s, w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.lcu = t.lcu
JOIN span s ON s.platform = t.platform AND s.system = t.system AND s.lcu = t.lcu
ORDER BY t.platform, t.lcu, t.lost_s DESC, t.system

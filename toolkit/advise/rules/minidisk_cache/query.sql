-- title: Volumes whose I/Os minidisk cache mostly avoids, and volumes with almost only reads for which it avoids none, or far fewer than before
-- grain: one row per platform, system, volume
-- column is_saved BOOLEAN []: Most requests are avoided; else none
-- column is_fallen BOOLEAN []: Most requests were avoided before the window, and far fewer in it; rates are those since
-- column requests_before DOUBLE [per second]: Requests before
-- column avoided_before DOUBLE [per second]: I/Os avoided before
-- column avoided_rate DOUBLE [per second]: I/Os avoided, mean of the span, or since
WITH {{ spared_before("volume_interval", "mdc_avoided_rate", "$io_rate") }},
bad AS (
    SELECT
        s.platform, s.system, s.volume, s.local_start, s.local_end,
        coalesce(s.io_rate * s.wait_ms * s.interval_s / 1000, 0) AS lost
    FROM seen s
    JOIN fallen p ON {{ equal("platform, system, volume", "p", "s") }} AND s.local_start >= p.last_spared
),
worst AS ({{ worst_run("bad", "platform, system, volume") }}),
span AS (
    SELECT
        platform, system, volume,
        sum(io_rate * interval_s) / sum(interval_s) AS io_rate,
        sum(mdc_avoided_rate * interval_s) / sum(interval_s) AS avoided_rate,
        {{ each(mean_of("NAME", "io_rate"), "read_ratio disc_ms service_ms") }}
    FROM seen
    GROUP BY platform, system, volume
)
SELECT
    s.system, s.volume, s.avoided_rate > 0 AS is_saved, p.volume IS NOT NULL AS is_fallen, p.requests_before, p.spared_before AS avoided_before,
    coalesce(p.io_rate, s.io_rate) AS io_rate, coalesce(p.spared_rate, s.avoided_rate) AS avoided_rate, s.read_ratio, s.disc_ms, s.service_ms,
    coalesce(w.lost, 0) AS lost, w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days
FROM span s
LEFT JOIN fallen p ON p.platform = s.platform AND p.system = s.system AND p.volume = s.volume
LEFT JOIN worst w ON w.platform = s.platform AND w.system = s.system AND w.volume = s.volume
WHERE p.volume IS NOT NULL
    OR (
        s.io_rate + s.avoided_rate >= $io_rate
        AND (
            s.avoided_rate >= $saved * (s.io_rate + s.avoided_rate)
            OR (s.avoided_rate = 0 AND s.read_ratio >= $reads)
        )
    )
ORDER BY s.system, is_fallen DESC, is_saved, s.io_rate + s.avoided_rate DESC, s.volume

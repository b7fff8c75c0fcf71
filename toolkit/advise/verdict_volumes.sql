-- title: Every volume with its peak, and the aliases needed by Little's law
-- grain: one row per platform, system, volume
SELECT
    c.system,
    c.volume AS name,
    c.lcu,
    CAST(round(c.exposures) AS BIGINT) - 1 AS aliases,
    c.verdict,
    c.is_overfull,
    c.reason,
    c.is_hyperpav,
    100 * c.wait_share_peak_ratio AS wait_share_percent,
    c.queue_length_peak,
    v.local_start AS peak_start,
    v.local_end AS peak_end,
    v.wait_ms + v.service_ms AS response_ms
FROM pav_candidate c
LEFT JOIN volume_interval v ON {{ equal("platform, system, volume", "v", "c") }} AND v.interval_start = c.peak_start
ORDER BY c.system, c.lcu, c.volume

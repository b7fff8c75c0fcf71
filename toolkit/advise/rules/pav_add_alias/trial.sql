-- title: Intervals at the peak rate or above it, for volumes whose number of exposures changed
-- grain: one row per platform, system, volume, interval
WITH varied AS (
    SELECT v.platform, v.system, v.volume, c.peak_start
    FROM box_volume_interval v
    JOIN pav_candidate c ON c.platform = v.platform AND c.system = v.system AND c.volume = v.volume
    WHERE c.is_hyperpav IS NOT TRUE AND c.verdict IN ('add', 'enough')
    GROUP BY v.platform, v.system, v.volume, c.peak_start
    HAVING min(round(v.exposures)) < max(round(v.exposures))
),
at_peak AS (
    SELECT v.platform, v.system, v.volume, v.box, v.io_rate
    FROM box_volume_interval v
    JOIN varied a ON {{ equal("platform, system, volume", "a", "v") }} AND a.peak_start = v.interval_start
)
SELECT
    v.platform, v.system, v.volume, v.interval_start, v.interval_s, v.exposures, v.io_rate, v.wait_ms, v.service_ms,
    v.read_ratio AS own_read_ratio
FROM box_volume_interval v
-- another box serves in other times
JOIN at_peak m ON m.platform = v.platform AND m.system = v.system AND m.volume = v.volume AND m.box = v.box
WHERE NOT v.is_held AND NOT v.is_overfull AND v.io_rate >= (1 - $same_load) * m.io_rate
    AND abs(v.exposures - round(v.exposures)) <= $whole
ORDER BY v.platform, v.system, v.volume, v.interval_start

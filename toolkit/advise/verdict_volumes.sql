-- question: verdict_volumes
-- title: Every volume with its peak, and what Little's law says of it
-- grain: one row per platform, system, volume
-- column system VARCHAR []: System id
-- column name VARCHAR []: Volume serial, else the base device
-- column lcu VARCHAR []: Logical control unit in the peak interval
-- column aliases BIGINT []: Aliases of its own in the peak interval
-- column verdict VARCHAR []: As pav_candidate has it
-- column is_overfull BOOLEAN []: The measurement of that interval contradicts itself
-- column reason VARCHAR []: Why, in numbers
-- column needed BIGINT []: Fewest aliases for the mean demand of the peak interval
-- column is_hyperpav BOOLEAN []: Aliases come from a pool of the LCU
-- column wait_share_percent DOUBLE [%]: Share of the response spent waiting in that peak interval
-- column queue_length_peak DOUBLE []: Highest interval mean of the queue
-- column peak_start TIMESTAMP [local time]: Start of that interval
-- column peak_end TIMESTAMP [local time]: End of that interval
-- column response_ms DOUBLE [milliseconds]: Response in that interval
SELECT
    c.system,
    c.volume AS name,
    c.lcu,
    CAST(round(c.exposures) AS BIGINT) - 1 AS aliases,
    c.verdict,
    c.is_overfull,
    c.reason,
    c.aliases_to_clear_wait AS needed,
    c.is_hyperpav,
    100 * c.wait_share_peak_ratio AS wait_share_percent,
    c.queue_length_peak,
    v.local_start AS peak_start,
    v.local_end AS peak_end,
    v.wait_ms + v.service_ms AS response_ms
FROM pav_candidate c
LEFT JOIN volume_interval v
    ON v.platform = c.platform AND v.system = c.system AND v.volume = c.volume AND v.interval_start = c.peak_start
ORDER BY c.system, c.lcu, c.volume

-- layer: summed
-- reach: a day
-- title: The interval of a day (UTC) in which a volume waits most, and sums over those of the day
-- grain: one row per platform, system, volume, lcu, hyperpav_aliases, day
-- columns: platform, system, volume, lcu
-- column hyperpav_aliases BIGINT []: Aliases in the pool of the LCU
-- columns: day
-- column interval_start TIMESTAMP [UTC]: Start of the peak interval
-- columns: device, device_type, io_rate, wait_ms, service_ms, queue_length, in_service, exposures, is_hyperpav
-- column is_held BOOLEAN []: Another system, see unfit_interval, or SET THROTTLE held the volume then
-- column is_overfull BOOLEAN []: The measurement contradicts itself then, see unfit_interval
-- column waits BOOLEAN []: It waits then
-- column is_short BOOLEAN []: The wait is a small part of the response then
-- column kind INTEGER []: 0: waits, and further exposures could shorten it; 1: waits; 2: else
-- column intervals BIGINT []: Intervals with a measured response
-- column measured_s DOUBLE [s]: Their length
-- column ios DOUBLE []: Their I/Os
-- column queued DOUBLE []: Their queue_length times their length
-- column waited DOUBLE [milliseconds]: Wait of all I/Os
-- column served DOUBLE [milliseconds]: Service of all I/Os
-- column most_rate DOUBLE [per second]: Highest rate
-- column most_queued DOUBLE []: Longest queue
WITH judged AS (
    SELECT
        v.*,
        CAST(v.interval_start AS DATE) AS day,
        z.hyperpav_aliases,
        -- a queue below 0.05 is taken for none; a wait below 0.1 ms, or a tenth of the response, is not worth an alias
        coalesce(v.wait_ms / nullif(v.wait_ms + v.service_ms, 0) < 0.1, FALSE) AS is_short,
        coalesce(
            v.queue_length >= {{ queue_limit() }} OR (v.queue_length > 0.05 AND v.wait_ms > 0.1), FALSE
        ) AS waits,
        {{ is_held("u", "v") }} AS is_held,
        coalesce(u.is_overfull, FALSE) AS is_overfull
    FROM volume_interval v
    LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "v") }}
    LEFT JOIN lcu_interval z ON {{ equal("platform, system, lcu, interval_start", "z", "v") }}
    WHERE v.io_rate > 0 AND v.wait_ms IS NOT NULL AND v.service_ms IS NOT NULL
),
ordered AS (
    SELECT
        *,
        CAST(CASE WHEN NOT waits OR is_short THEN 2 WHEN is_held OR is_overfull THEN 1 ELSE 0 END AS INTEGER) AS kind
    FROM judged
),
summed AS (
    SELECT
        platform, system, volume, lcu, hyperpav_aliases, day,
        count(*) AS intervals,
        sum(interval_s) AS measured_s,
        sum(io_rate * interval_s) AS ios,
        sum(queue_length * interval_s) AS queued,
        sum(io_rate * interval_s * wait_ms) AS waited,
        sum(io_rate * interval_s * service_ms) AS served,
        max(io_rate) AS most_rate,
        max(queue_length) AS most_queued,
        min_by(interval_start, first_order(kind, -queue_length, -in_service, interval_start)) AS peak_start
    FROM ordered
    GROUP BY platform, system, volume, lcu, hyperpav_aliases, day
)
SELECT
    o.*, s.intervals, s.measured_s, s.ios, s.queued, s.waited, s.served, s.most_rate, s.most_queued
FROM ordered o
JOIN summed s ON {{ equal("platform, system, volume", "s", "o") }} AND s.peak_start = o.interval_start

-- question: beside
-- title: Systems of which listings and records hold the same time, and what of either is left out
-- grain: one row per platform, system
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column records_devices BIGINT []: Devices of which records are left out, as a listing holds more of the time
-- column records_s DOUBLE [s]: Longest such time of a device
-- column listing_devices BIGINT []: Devices of which a listing's rows are left out though records hold only a part of their time
-- column lost_s DOUBLE [s]: Longest time of such a device that records do not hold
-- column clashing BIGINT []: Intervals of listings that are left out, as the offsets known bring two to one time
WITH device AS (
    SELECT
        platform, system, device,
        -- seconds at either end are the clocks'
        sum(CASE WHEN NOT is_recorded AND recorded_s >= least(60, 0.5 * printed_s) THEN recorded_s END) AS records_s,
        sum(CASE WHEN is_recorded AND recorded_s < 0.98 * printed_s THEN printed_s - recorded_s END) AS lost_s
    FROM listing_record
    GROUP BY platform, system, device
),
told AS (
    SELECT
        platform, system,
        count(records_s) AS records_devices,
        max(records_s) AS records_s,
        count(lost_s) AS listing_devices,
        max(lost_s) AS lost_s,
        0 AS clashing
    FROM device
    GROUP BY platform, system
    UNION ALL
    SELECT platform, system, 0, NULL, 0, NULL, count(*)
    FROM listing_interval
    WHERE left_out_for = 'clock'
    GROUP BY platform, system
)
SELECT
    platform,
    system,
    CAST(sum(records_devices) AS BIGINT) AS records_devices,
    max(records_s) AS records_s,
    CAST(sum(listing_devices) AS BIGINT) AS listing_devices,
    max(lost_s) AS lost_s,
    CAST(sum(clashing) AS BIGINT) AS clashing
FROM told
GROUP BY platform, system
HAVING sum(records_devices) + sum(listing_devices) + sum(clashing) > 0
ORDER BY platform DESC, system

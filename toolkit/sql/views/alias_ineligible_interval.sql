-- title: z/VM's HyperPAV bases: requests that CP could not send to an alias, interval by interval
-- grain: one row per system, interval_start, device
-- column platform VARCHAR []: Operating system that measured = constant z/VM
-- column system VARCHAR []: System id = MTRSYS_SYSTMID
-- column interval_start TIMESTAMP [UTC]: Time of the device's sample before
-- column interval_s DOUBLE [s]: Time since the device's sample before
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits = 0 and IODDEV_RDEVDEV (high)
-- column ineligible_rate DOUBLE [per second]: Requests that CP could send to the base only = d IODDEV_PAVINELG / s (medium)
-- column utc_offset_s INTEGER [s]: Local time minus UTC when the interval began = MTRSYS_SYSZONE (medium)
-- column source VARCHAR []: Record type the row came from = constant mon.d6r3
-- note: d is the difference of two samples as in device_interval; above 100 000 per second the counter was reset and the rate is NULL.
WITH sample AS (
    SELECT
        {{ since_sample_before() }},
        IODDEV_RDEVDEV,
        IODDEV_RDEVHPPL <> 0 AND IODDEV_RDEVSER <> '' AS is_base,
        {{ increase_of("IODDEV_PAVINELG") }} AS ineligible
    {{ monitor_samples("mon_d6r3", "IODDEV_RDEVSID") }}
)
SELECT
    *,
    'z/VM' AS platform,
    '0' || IODDEV_RDEVDEV AS device,
    CASE WHEN ineligible <= 100000 * interval_s THEN ineligible / interval_s END AS ineligible_rate,
    'mon.d6r3' AS source
FROM sample
WHERE is_base AND interval_s > 0

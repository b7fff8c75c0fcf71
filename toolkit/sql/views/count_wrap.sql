-- title: z/VM devices whose 16-bit I/O count wrapped between two samples while the 32-bit count was empty
-- grain: one row per platform, system, device
-- columns: platform, system
-- column device VARCHAR []: Subchannel set (taken for 0) and device number, 5 hex digits
-- column wraps BIGINT []: Samples with a lower count than the sample before, whichever files they are in
-- column first_start TIMESTAMP [UTC]: Start of the first such interval
-- note: The count is assumed to have wrapped once. If it wrapped more often, the I/O rate is too low: 65 536 I/Os take 30 s at 2 200 per s.
WITH sample AS (
    SELECT
        owner AS system,
        IODDEV_RDEVDEV, IODDEV_SCGSSCH, IODDEV_SCMSSCH,
        lag(IODDEV_SCMSSCH) OVER w AS before_count,
        lag(MRHDRTOD) OVER w AS began
    {{ monitor_samples("mon_d6r3", "IODDEV_RDEVSID") }}
)
SELECT
    'z/VM' AS platform,
    system,
    '0' || IODDEV_RDEVDEV AS device,
    count(*) AS wraps,
    min(began) AS first_start
FROM sample
WHERE coalesce(IODDEV_SCGSSCH, 0) = 0 AND IODDEV_SCMSSCH < before_count
GROUP BY system, IODDEV_RDEVDEV

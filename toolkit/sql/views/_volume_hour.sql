-- reach: a day
-- title: In which subsystem and LCU each volume was, hour by hour
-- grain: one row per platform, system, in_hour, volume, subsystem, lcu
-- column interval_start TIMESTAMP [UTC]: Start of the first interval of the hour
-- columns: platform, system, volume, subsystem, lcu, in_hour, volser
-- column device VARCHAR []: The base (or single) device
-- columns: first_us, last_us, middle_us
SELECT
    min(interval_start) AS interval_start,
    platform, system, volume, subsystem, lcu,
    CAST({{ hour_of("interval_start") }} AS DOUBLE) AS in_hour,
    max(volser) AS volser,
    max(device) AS device,
    {{ moments_of_hour() }}
FROM volume_interval
GROUP BY platform, system, volume, subsystem, lcu, {{ hour_of("interval_start") }}

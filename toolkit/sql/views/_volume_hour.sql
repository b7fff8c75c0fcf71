-- view: _volume_hour
-- layer: derived
-- reach: a day
-- title: In which subsystem and LCU each volume was, hour by hour
-- grain: one row per platform, system, in_hour, volume, subsystem, lcu
-- column interval_start TIMESTAMP [UTC]: Start of the first interval of the hour
-- columns: platform, system, volume, subsystem, lcu
-- column in_hour DOUBLE []: Hours since 1970 (UTC)
-- columns: volser
-- column device VARCHAR []: The base (or single) device
-- column first_us BIGINT []: Start of the first interval, in microseconds since 1970
-- column last_us BIGINT []: Start of the last interval
-- column middle_us BIGINT []: The last middle of an interval
SELECT
    min(interval_start) AS interval_start,
    platform,
    system,
    volume,
    subsystem,
    lcu,
    CAST({{ hour_of("interval_start") }} AS DOUBLE) AS in_hour,
    max(volser) AS volser,
    max(device) AS device,
    {{ moments_of_hour() }}
FROM volume_interval
GROUP BY platform, system, volume, subsystem, lcu, {{ hour_of("interval_start") }}

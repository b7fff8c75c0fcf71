-- layer: summed
-- reach: a day
-- title: What the I/Os of each volume took, day by day (UTC)
-- grain: one row per platform, system, volume, lcu, in_day
-- column interval_start TIMESTAMP [UTC]: Start of the first interval of the day
-- columns: platform, system, volume, lcu
-- column in_day DOUBLE []: Days since 1970 (UTC)
-- columns: subsystem, extent_pool
-- column static_aliases DOUBLE []: Most exposures but the base; 0 with HyperPAV
-- column least_exposures DOUBLE []: Fewest exposures without HyperPAV while it did I/O, a whole number; the base alone where they are unknown
-- column most_exposures DOUBLE []: Most
-- column active_s DOUBLE [s]: Time of intervals with I/Os
-- columns: all_ios
-- column ios DOUBLE []: I/Os of known response time; NULL without any
-- column response_s DOUBLE [s]: Response time, summed over them
-- column lost_s DOUBLE [s]: Response time without conn
-- column wait_s DOUBLE [s]: Wait
-- column pend_s DOUBLE [s]: Pend
-- column disc_s DOUBLE [s]: Disconnect
-- column conn_s DOUBLE [s]: Connect
-- column unknown_s DOUBLE [s]: Response time that no known part explains
SELECT
    min(interval_start) AS interval_start, platform, system, volume, lcu,
    CAST(floor(unix_micros(interval_start) / 8.64e10) AS DOUBLE) AS in_day,
    max(subsystem) AS subsystem,
    max(extent_pool) AS extent_pool,
    CASE WHEN bool_or(is_hyperpav) THEN 0 ELSE at_least_0(max(exposures) - 1) END AS static_aliases,
    min(own_exposures) AS least_exposures,
    max(own_exposures) AS most_exposures,
    sum(CASE WHEN io_rate > 0 THEN interval_s END) AS active_s,
    sum(io_rate * interval_s) AS all_ios,
    sum(ios) AS ios,
    sum(ios * response_ms) / 1000 AS response_s,
    sum(ios * (response_ms - conn_ms)) / 1000 AS lost_s,
    {% for part in ["wait", "pend", "disc", "conn"] -%}
    sum(ios * {{ part }}_ms) / 1000 AS {{ part }}_s,
    {% endfor -%}
    sum(
        CASE
            WHEN wait_ms + pend_ms + disc_ms + conn_ms IS NULL THEN ios * at_least_0(
                response_ms - coalesce(wait_ms, 0) - coalesce(pend_ms, 0) - coalesce(disc_ms, 0) - coalesce(conn_ms, 0))
        END
    ) / 1000 AS unknown_s
FROM (
    SELECT
        *,
        CASE WHEN io_rate > 0 AND response_ms IS NOT NULL THEN io_rate * interval_s END AS ios,
        CASE WHEN io_rate > 0 AND is_hyperpav IS NOT TRUE THEN round(coalesce(exposures, 1)) END AS own_exposures
    FROM volume_interval
) AS v
GROUP BY platform, system, volume, lcu, floor(unix_micros(interval_start) / 8.64e10)

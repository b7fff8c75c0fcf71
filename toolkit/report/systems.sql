-- question: systems
-- title: Each system, its span in local time and its volumes
-- grain: one row per platform, system
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System that measured
-- column intervals BIGINT []: Intervals
-- column missing_intervals BIGINT []: Intervals missing
-- column interval_s DOUBLE [s]: Length of most intervals
-- column span_s DOUBLE [s]: Length of the span
-- column start_us BIGINT [microseconds]: Start, local time
-- column end_us BIGINT [microseconds]: End, local time
-- column volumes BIGINT []: Volumes
-- note: The span is that of the rows shown, also where a filter left some of them.
SELECT
    q.platform,
    q.system,
    q.intervals,
    q.missing_intervals,
    q.interval_s,
    q.span_s,
    coalesce(o.start_us, unix_micros(q.span_start)) AS start_us,
    coalesce(o.end_us, unix_micros(q.span_end)) AS end_us,
    coalesce(o.volumes, 0) AS volumes
FROM data_quality AS q
LEFT JOIN (
    SELECT
        platform,
        system,
        min(unix_micros(interval_start) + CAST(coalesce(utc_offset_s, 0) AS BIGINT) * 1000000) AS start_us,
        max(unix_micros(interval_start) + CAST((coalesce(utc_offset_s, 0) + interval_s) * 1e6 AS BIGINT)) AS end_us,
        count(DISTINCT volume) AS volumes
    FROM volume_interval
    GROUP BY platform, system
) AS o ON o.platform = q.platform AND o.system = q.system
ORDER BY q.platform, q.system

-- title: Each system, its span in local time and its volumes
-- grain: one row per platform, system
-- columns: platform, system
-- column intervals BIGINT []: Intervals
-- column missing_intervals BIGINT []: Intervals missing
-- column unmeasured_s DOUBLE [s]: Time between intervals that none of them holds
-- column overlap_s DOUBLE [s]: Time that two intervals hold
-- column overlap_at TIMESTAMP []: First occurrence, local time
-- column interval_s DOUBLE [s]: Length of most intervals
-- column least_interval_s DOUBLE [s]: Shortest length that four intervals or more have
-- column most_interval_s DOUBLE [s]: The longest
-- column span_s DOUBLE [s]: Length of the span
-- column span_start TIMESTAMP [UTC]: Start
-- column span_end TIMESTAMP [UTC]: End
-- column local_start TIMESTAMP []: Start, local time
-- column local_end TIMESTAMP []: End, local time
-- column volumes BIGINT []: Volumes
-- column least_offset_s INTEGER [s]: Local time minus UTC, least of the span; NULL if unknown
-- column most_offset_s INTEGER [s]: Highest offset; differs if clocks were changed
-- note: The span is that of the rows shown, after any filter.
SELECT
    q.platform, q.system, q.intervals, q.missing_intervals, q.unmeasured_s, q.overlap_s,
    coalesce(m.local_start, q.overlap_start) AS overlap_at,
    q.interval_s, q.least_interval_s, q.most_interval_s, q.span_s, q.span_start, q.span_end,
    coalesce(o.local_start, q.span_start) AS local_start, coalesce(o.local_end, q.span_end) AS local_end,
    coalesce(o.volumes, 0) AS volumes, o.least_offset_s, o.most_offset_s
FROM data_quality AS q
LEFT JOIN (
    SELECT
        platform, system, min(local_start) AS local_start, max(local_end) AS local_end, count(DISTINCT volume) AS volumes,
        min(utc_offset_s) AS least_offset_s, max(utc_offset_s) AS most_offset_s
    FROM volume_interval
    GROUP BY platform, system
) AS o ON o.platform = q.platform AND o.system = q.system
LEFT JOIN measured_interval AS m ON {{ equal("platform, system", "m", "q") }} AND m.interval_start = q.overlap_start
ORDER BY q.platform, q.system

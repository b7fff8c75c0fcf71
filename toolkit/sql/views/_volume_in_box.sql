-- reach: a day
-- title: In which intervals of its box each volume of each system was measured, day by day
-- grain: one row per box, platform, system, volume, day
-- column interval_start TIMESTAMP [UTC]: Start of the first of these intervals
-- column box VARCHAR []: Box, see volume_box
-- columns: platform, system, volume
-- column day_us BIGINT []: Start of the day (UTC), in microseconds since 1970
-- column starts VARCHAR []: Starts of the intervals, in microseconds since 1970, each between two bars
-- column intervals BIGINT []: Their number
-- column in_service DOUBLE []: Sum of in_service over them
-- column active_us BIGINT []: Start of the first with I/Os, in microseconds since 1970; NULL if there is none
-- column active_until_us BIGINT []: Start of the last one
SELECT
    min(interval_start) AS interval_start,
    box, platform, system, volume, day_us,
    '|' || array_join(sort_array(collect_list(CAST(unix_micros(interval_start) AS STRING))), '|') || '|' AS starts,
    count(*) AS intervals,
    sum(coalesce(in_service, 0)) AS in_service,
    min(CASE WHEN io_rate > 0 THEN unix_micros(interval_start) END) AS active_us,
    max(CASE WHEN io_rate > 0 THEN unix_micros(interval_start) END) AS active_until_us
FROM (
    SELECT
        interval_start, box, platform, system, volume, in_service, io_rate,
        CAST(floor(unix_micros(interval_start) / 8.64e10) AS BIGINT) * 86400000000 AS day_us
    FROM volume_on_box_clock
) AS measured
GROUP BY box, platform, system, volume, day_us

-- title: Busiest interval of each box on each local day, or the one that starts at a time
-- grain: one row per box, local_day
-- parameter $start TIMESTAMP [local time]: Start of the interval wanted; NULL for the busiest
-- parameter $is_utc BOOLEAN []: Whether that time is in UTC
-- column local_day TIMESTAMP [local time]: Start of the day
WITH dated AS (
    SELECT box, date_trunc('day', local_start) AS local_day, interval_start, utc_offset_s, io_rate
    FROM box_interval
    WHERE io_rate > 0
        AND ($start IS NULL OR $start = CASE WHEN $is_utc THEN interval_start ELSE local_start END)
)
SELECT
    box, CAST(local_day AS TIMESTAMP) AS local_day,
    max_by(interval_start, peak_order(io_rate, interval_start)) AS interval_start,
    max_by(utc_offset_s, peak_order(io_rate, interval_start)) AS utc_offset_s,
    max(io_rate) AS io_rate
FROM dated
GROUP BY box, local_day
ORDER BY box, local_day

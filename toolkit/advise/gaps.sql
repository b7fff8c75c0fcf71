-- title: Times without records of a system, between some that have them
-- grain: one row per system, gap_start
-- column gap_start TIMESTAMP []: End of the interval before it, local time
-- column gap_end TIMESTAMP []: Start of the interval after it
WITH measured AS (
    SELECT
        system, interval_s, local_start, local_end, lead(local_start) OVER (PARTITION BY system ORDER BY local_start) AS next_start
    FROM measured_interval
)
SELECT system, local_end AS gap_start, next_start AS gap_end
FROM measured
WHERE unix_micros(next_start) - unix_micros(local_end) > 1e6 * interval_s
ORDER BY system, gap_start

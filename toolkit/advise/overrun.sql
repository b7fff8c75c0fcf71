-- title: Volumes whose work grows from day to day: when it ends, night by night
-- grain: one row per system, volume, night
-- parameter $grown DOUBLE [times]: The I/Os of the quietest day, on the busiest
-- parameter $grown_days DOUBLE [days]: Measured at least
-- column night BIGINT [days]: Since 1970; a night goes from noon to noon
-- column end_h DOUBLE [hours]: End of the last interval with at least a quarter of the volume's highest rate, after noon
WITH daily AS (
    SELECT system, volume, in_day, sum(all_ios) AS ios FROM _volume_day GROUP BY system, volume, in_day
),
grown AS (
    SELECT system, volume
    FROM daily
    WHERE ios > 0
    GROUP BY system, volume
    -- few volumes are left to be read: the first and the last day may be cut off
    HAVING count(*) >= $grown_days AND max(ios) >= $grown * min(ios) AND corr(in_day, ios) >= 0.5
),
worked AS (
    SELECT
        v.system, v.volume, v.io_rate, unix_micros(v.local_end) AS end_us,
        floor((unix_micros(v.local_start) - 4.32e10) / 8.64e10) AS night
    FROM volume_interval v
    JOIN grown g ON {{ equal("system, volume", "g", "v") }}
    WHERE v.io_rate > 0
),
topped AS (
    SELECT *, max(io_rate) OVER (PARTITION BY system, volume) AS top_rate FROM worked
)
SELECT
    system, volume, CAST(night AS BIGINT) AS night,
    max((end_us - 4.32e10 - 8.64e10 * night) / 3.6e9) AS end_h
FROM topped
WHERE 4 * io_rate >= top_rate
GROUP BY system, volume, night
ORDER BY system, volume, night

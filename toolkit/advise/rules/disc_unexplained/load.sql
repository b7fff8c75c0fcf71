-- title: How closely the disconnect of an LCU follows the load of its box
-- grain: one row per platform, system, lcu
-- column follows DOUBLE []: Rank correlation of the two over all intervals; NULL of few
-- column busy_rate DOUBLE [per second]: I/Os of the system to the box, mean of the busiest tenth of the intervals
-- column busy_ms DOUBLE [milliseconds]: Disconnect of the LCU in these
-- column middle_rate DOUBLE [per second]: The same rate, mean of the middle fifth of the intervals
-- column middle_ms DOUBLE [milliseconds]: Disconnect of the LCU in these
WITH summed AS (
    SELECT
        v.platform, v.system, coalesce(v.lcu, '') AS lcu, h.box, v.interval_start, sum(v.io_rate) AS io_rate,
        sum(v.io_rate * v.disc_ms) / sum(v.io_rate) AS disc_ms
    FROM volume_interval v
    {{ join_home("v") }}
    WHERE v.io_rate > 0 AND v.disc_ms IS NOT NULL
    GROUP BY v.platform, v.system, coalesce(v.lcu, ''), h.box, v.interval_start
),
loaded AS (
    SELECT *, sum(io_rate) OVER (PARTITION BY platform, system, box, interval_start) AS box_rate FROM summed
),
ranked AS (
    SELECT
        *, percent_rank() OVER (PARTITION BY platform, system, lcu, box ORDER BY box_rate) AS rate_rank,
        percent_rank() OVER (PARTITION BY platform, system, lcu, box ORDER BY disc_ms) AS disc_rank
    FROM loaded
)
SELECT
    platform, system, lcu,
    CASE WHEN max(rate_rank) > 0 AND max(disc_rank) > 0 AND count(*) >= $follows_least THEN corr(rate_rank, disc_rank) END AS follows,
    avg(CASE WHEN rate_rank >= 0.9 THEN box_rate END) AS busy_rate,
    avg(CASE WHEN rate_rank >= 0.9 THEN disc_ms END) AS busy_ms,
    avg(CASE WHEN rate_rank BETWEEN 0.4 AND 0.6 THEN box_rate END) AS middle_rate,
    avg(CASE WHEN rate_rank BETWEEN 0.4 AND 0.6 THEN disc_ms END) AS middle_ms
FROM ranked
GROUP BY platform, system, lcu
ORDER BY platform, system, lcu

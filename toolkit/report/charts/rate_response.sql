-- title: Rate and response time of the volumes that lose most time, and of the busiest
-- grain: one row per platform, system, volume
-- columns: label, volume, system, io_rate, response_ms, lost_s, iosq, pend, disc, conn, unknown
-- column lost_place BIGINT []: Place by time lost
-- columns: volumes
WITH total AS (
    SELECT
        platform, system, volume,
        sum(io_rate * (response_ms - conn_ms) * interval_s) / 1000 AS lost_s,
        sum(io_rate * interval_s) / sum(interval_s) AS io_rate,
        sum(io_rate * response_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS response_ms,
        {{ response_parts() }}
    FROM volume_interval
    WHERE response_ms IS NOT NULL
    GROUP BY platform, system, volume
),
placed AS (
    SELECT
        *,
        CAST(row_number() OVER (ORDER BY coalesce(lost_s, io_rate * response_ms) DESC, volume, system, platform) AS BIGINT) AS lost_place,
        row_number() OVER (ORDER BY io_rate DESC, volume, system, platform) AS rate_place
    FROM total
    WHERE io_rate > 0 AND response_ms > 0
)
SELECT
    CASE
        WHEN (SELECT count(DISTINCT system) FROM volume_interval) > 1 THEN volume || ' on ' || system ELSE volume
    END AS label,
    volume, system, io_rate, response_ms, lost_s, iosq, pend, disc, conn, unknown, lost_place, count(*) OVER () AS volumes
FROM placed
WHERE lost_place <= 300 OR rate_place <= 100
ORDER BY lost_place

-- question: response_by_volume
-- title: The 20 volumes that lose most time, their response time in parts
-- grain: one row per platform, system, volume
-- columns: label, volume, system, iosq, pend, disc, conn, unknown, response_ms, lost_s, ios
WITH total AS (
    SELECT
        platform,
        system,
        volume,
        sum(io_rate * response_ms * interval_s) / 1000 AS response_s,
        sum(io_rate * (response_ms - conn_ms) * interval_s) / 1000 AS lost_s,
        sum(io_rate * interval_s) AS ios,
        {{ response_parts() }}
    FROM volume_interval
    WHERE io_rate > 0 AND response_ms IS NOT NULL
    GROUP BY platform, system, volume
)
SELECT
    CASE
        WHEN (SELECT count(DISTINCT system) FROM volume_interval) > 1 THEN volume || ' on ' || system ELSE volume
    END AS label,
    volume,
    system,
    iosq,
    pend,
    disc,
    conn,
    unknown,
    response_s * 1000 / ios AS response_ms,
    lost_s,
    ios
FROM total
WHERE response_s > 0
ORDER BY coalesce(lost_s, response_s) DESC, label
LIMIT 20

-- title: The 20 volumes that lose most time, their response time in parts
-- grain: one row per platform, system, volume
-- columns: label, volume, system, iosq, pend, disc, conn, unknown, response_ms, lost_s, ios
WITH total AS (
    SELECT platform, system, volume, sum(response_s) AS response_s, sum(lost_s) AS lost_s, sum(ios) AS ios,
        1000 * sum(wait_s) / sum(ios) AS iosq, 1000 * sum(pend_s) / sum(ios) AS pend, 1000 * sum(disc_s) / sum(ios) AS disc,
        1000 * sum(conn_s) / sum(ios) AS conn, 1000 * sum(unknown_s) / sum(ios) AS unknown
    FROM _volume_day
    WHERE ios IS NOT NULL
    GROUP BY platform, system, volume
)
SELECT
    CASE
        WHEN (SELECT count(DISTINCT system) FROM total) > 1 THEN volume || ' on ' || system ELSE volume
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

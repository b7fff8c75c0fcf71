-- title: The 20 volumes that lose most time, their response time in parts
-- grain: one row per platform, system, volume
-- columns: label, volume, system, iosq, pend, disc, conn, unknown, response_ms, lost_s, ios
WITH total AS (
    SELECT
        platform, system, volume, {{ each("sum(NAME)", "response_s lost_s ios") }}, 1000 * sum(wait_s) / sum(ios) AS iosq,
        {{ each("1000 * sum(NAME_s) / sum(ios)", "pend disc conn unknown") }}
    FROM _volume_day
    WHERE ios IS NOT NULL
    GROUP BY platform, system, volume
)
SELECT
    CASE
        WHEN (SELECT count(DISTINCT system) FROM total) > 1 THEN volume || ' on ' || system ELSE volume
    END AS label,
    volume, system, iosq, pend, disc, conn, unknown, response_s * 1000 / ios AS response_ms, lost_s, ios
FROM total
WHERE response_s > 0
ORDER BY coalesce(lost_s, response_s) DESC, label
LIMIT 20

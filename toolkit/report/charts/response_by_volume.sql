-- question: response_by_volume
-- title: The 20 volumes that lose most time, their response time in parts
-- grain: one row per platform, system, volume
-- column label VARCHAR []: Volume, with its system if the lake has several
-- column volume VARCHAR []: Volume serial or base device
-- column system VARCHAR []: System that measured
-- column iosq DOUBLE [milliseconds]: IOSQ per I/O, weighted by I/Os
-- column pend DOUBLE [milliseconds]: Pend per I/O
-- column disc DOUBLE [milliseconds]: Disconnect per I/O
-- column conn DOUBLE [milliseconds]: Connect per I/O
-- column unknown DOUBLE [milliseconds]: Rest of the response per I/O, where a part is not known
-- column response_ms DOUBLE [milliseconds]: Response time per I/O
-- column lost_s DOUBLE [s]: Response time without conn, summed over all I/Os; NULL where conn is not known
-- column ios DOUBLE []: I/Os
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

-- layer: summed
-- reach: a day
-- title: What the I/Os of all volumes of an LCU in a box took, interval by interval
-- grain: one row per platform, system, interval_start, box, lcu
-- columns: platform, system, interval_start, interval_s
-- column box VARCHAR []: Box, as in volume_box; the system of volumes that are in none
-- columns: lcu, all_ios
-- column ios DOUBLE []: I/Os of known response time
-- column response DOUBLE [milliseconds]: Response time, summed over them
-- column lost DOUBLE [milliseconds]: Response time without conn
-- column wait DOUBLE [milliseconds]: Wait
-- column pend DOUBLE [milliseconds]: Pend
-- column disc DOUBLE [milliseconds]: Disconnect
-- column conn DOUBLE [milliseconds]: Connect
-- column wait_ios DOUBLE []: I/Os whose wait is known
-- column pend_ios DOUBLE []: I/Os whose pend is known
-- column disc_ios DOUBLE []: I/Os whose disconnect is known
-- column conn_ios DOUBLE []: I/Os whose connect is known
-- columns: utc_offset_s
SELECT
    platform, system, interval_start, max(interval_s) AS interval_s, box, lcu,
    sum(all_ios) AS all_ios,
    sum(ios) AS ios,
    sum(ios * response_ms) AS response,
    sum(ios * (response_ms - conn_ms)) AS lost,
    {% for part in ["wait", "pend", "disc", "conn"] -%}
    sum(ios * {{ part }}_ms) AS {{ part }},
    sum(CASE WHEN {{ part }}_ms IS NOT NULL THEN ios END) AS {{ part }}_ios,
    {% endfor -%}
    max(utc_offset_s) AS utc_offset_s
FROM (
    SELECT
        v.*, coalesce(b.box, v.system) AS box, v.io_rate * v.interval_s AS all_ios,
        CASE WHEN v.response_ms IS NOT NULL THEN v.io_rate * v.interval_s END AS ios
    FROM volume_interval v
    LEFT {{ join_volume_box_then("b", "v") }}
) AS placed
GROUP BY platform, system, interval_start, box, lcu

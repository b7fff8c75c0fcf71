-- title: Channel paths that are far slower than the fastest path to the same LCU
-- grain: one row per platform, system, lcu, channel_path
-- column channel VARCHAR []: The channel as a director knows it
-- column ios DOUBLE [I/Os]: I/Os on the path
-- column fastest_ms DOUBLE [milliseconds]: Command response time on the LCU's fastest path, weighted by the same rate
-- column paths BIGINT []: Paths to the LCU that took I/Os
-- column error_count DOUBLE [events]: Errors of that port in all intervals read
WITH path AS (
    -- a non-preferred path leads to another part of the box, or to another box
    SELECT
        *,
        min(cmr_ms) OVER (PARTITION BY platform, system, lcu, interval_start) AS fastest_ms,
        sum(taken_rate) OVER (PARTITION BY platform, system, lcu, interval_start) AS lcu_rate,
        count(*) OVER (PARTITION BY platform, system, lcu, interval_start) AS paths
    FROM lcu_path_interval
    WHERE taken_rate > 0 AND coalesce(preference, 'preferred') = 'preferred'
),
bad AS (
    SELECT *, right(channel_path, 2) AS channel, taken_rate * (cmr_ms - fastest_ms) * interval_s / 1000 AS lost
    FROM path
    WHERE cmr_ms > $cmr_ms AND cmr_ms >= $fastest_factor * fastest_ms
),
channel_port AS (
    -- a director knows a channel by two digits, whichever channel subsystem it is in
    SELECT
        platform, system, right(attached, 2) AS channel, min(director) AS director, min_by(port, director) AS port,
        sum(error_count) AS error_count
    FROM director_port_interval
    WHERE kind = 'channel'
    GROUP BY platform, system, right(attached, 2)
    HAVING count(DISTINCT director || port) = 1
),
{% call incident("bad", "platform, system, lcu, channel_path", also=["channel_port USING (platform, system, channel)"]) %}
    max(channel) AS channel,
    sum(taken_rate * interval_s) AS ios,
    {{ each("sum(taken_rate * interval_s * NAME) / sum(taken_rate * interval_s)", "cmr_ms fastest_ms") }},
    sum(taken_rate * interval_s) / sum(lcu_rate * interval_s) AS share_ratio,
    max(paths) AS paths
{% endcall %}
ORDER BY a.platform, a.system, a.channel_path, w.lost DESC, a.lcu

-- title: Systems with full channels to disks, and the LCUs most of whose I/Os go through them
-- grain: one row per platform, system, lcu
-- column is_chronic BOOLEAN []: Its channels were never free and its pend was always long: the usual one is its command response time
-- column usual_conn_ms DOUBLE [milliseconds]: Its connect in its own best intervals
-- column path_ms DOUBLE [milliseconds]: Its pend without device busy then, weighted by rate
-- column open_ios DOUBLE [I/Os]: Most I/Os open to it at once per full channel, mean of an interval
-- column waited_s DOUBLE [s]: Time in the host's queue then, summed over the I/Os of these volumes
-- column is_path_explained BOOLEAN []: Its command response time is long at no other time
WITH {{ full_channel_intervals() }},
system_full AS (
    SELECT platform, system, count(DISTINCT channel_path) AS channel_count, bool_or(is_lcu_known) AS is_lcu_known
    FROM full_channel
    GROUP BY platform, system
),
{{ slow_paths("$io_rate", "$cmr_above_ms", "$cmr_above_factor") }},
through AS (
    SELECT platform, system, lcu, interval_start FROM full_way
    UNION ALL
    -- if the channels of all LCUs are unknown: the LCUs that answer late just then
    SELECT s.platform, s.system, s.lcu, s.interval_start
    FROM slow s
    JOIN (SELECT DISTINCT platform, system, interval_start FROM full_then) f
        ON {{ equal("platform, system, interval_start", "f", "s") }}
    LEFT JOIN (SELECT DISTINCT platform, system FROM disk_path) k ON k.platform = s.platform AND k.system = s.system
    WHERE k.system IS NULL
),
{{ slow_paths_within("through", "$minutes", "$deep_ios", "$deep_share") }},
timed AS (
    SELECT *, pend_ms - device_busy_ms AS path_ms FROM lcu_interval
    WHERE {{ has_enough_io("io_rate", "$io_rate", "pend_ms") }}
),
steady AS (
    SELECT * FROM timed WHERE io_rate >= $io_rate
),
best_path AS (
    {{ best_of("path_ms", "steady", "platform, system, lcu") }}
),
best_conn AS (
    {{ best_of("conn_ms", "steady", "platform, system, lcu") }}
),
chronic AS (
    -- their channels were never free: what pend is without a wait for these is close to the command response time
    SELECT t.platform, t.system, t.lcu, {{ mean_of("t.cmr_ms", "t.io_rate") }} AS cmr_ms
    FROM steady t
    LEFT JOIN (SELECT DISTINCT platform, system, lcu, interval_start FROM full_way) h
        ON {{ equal("platform, system, lcu, interval_start", "h", "t") }}
    GROUP BY t.platform, t.system, t.lcu
    HAVING count(*) = count(h.lcu)
),
usual AS (
    SELECT
        p.platform, p.system, p.lcu, c.best_ms AS usual_conn_ms,
        coalesce(p.best_ms >= r.cmr_ms + $cmr_above_ms, FALSE) AS is_chronic,
        CASE WHEN p.best_ms >= r.cmr_ms + $cmr_above_ms THEN r.cmr_ms ELSE p.best_ms END AS usual_ms
    FROM best_path p
    LEFT JOIN best_conn c ON {{ equal("platform, system, lcu", "c", "p") }}
    LEFT JOIN chronic r ON {{ equal("platform, system, lcu", "r", "p") }}
),
cost AS (
    SELECT
        t.platform, t.system, t.lcu,
        {{ each("max(u.NAME)", "usual_ms usual_conn_ms") }},
        bool_or(u.is_chronic) AS is_chronic,
        {{ each(mean_of("t.NAME", "t.io_rate"), "path_ms conn_ms response_ms wait_ms") }},
        sum(t.io_rate) AS rate_sum,
        max(t.io_rate * (t.cmr_ms + t.conn_ms + t.disc_ms) / 1000) AS open_ios,
        sum(t.io_rate * at_least_0(t.path_ms - u.usual_ms) * t.interval_s) / 1000 AS lost_s
    FROM timed t
    JOIN through h ON {{ equal("platform, system, lcu, interval_start", "h", "t") }}
    JOIN usual u ON u.platform = t.platform AND u.system = t.system AND u.lcu = t.lcu
    GROUP BY t.platform, t.system, t.lcu
),
deep AS (
    SELECT
        t.platform, t.system, t.local_start,
        max(t.local_end) AS local_end,
        sum(t.io_rate * (t.path_ms - u.usual_ms) * t.interval_s) / 1000 AS lost
    FROM timed t
    JOIN through h ON {{ equal("platform, system, lcu, interval_start", "h", "t") }}
    JOIN usual u ON u.platform = t.platform AND u.system = t.system AND u.lcu = t.lcu
    WHERE t.path_ms - u.usual_ms >= $deep_share * t.response_ms
    GROUP BY t.platform, t.system, t.local_start
),
deepest AS ({{ worst_run("deep", "platform, system") }}),
{{ waiting_within("through") }},
{% call incident("bad", "platform, system", is_select=true) %}
    SELECT
        c.platform, c.system, c.is_lcu_known, m.lcu, m.is_chronic, m.usual_ms, m.usual_conn_ms, m.path_ms, m.conn_ms,
        m.response_ms, m.wait_ms, m.rate_sum, m.open_ios / c.channel_count AS open_ios, m.lost_s, q.waiting, q.waited_s, h.box, h.serial,
        h.lcus_in_box, d.worst_lost AS deep_s, e.lcu IS NOT NULL AS is_path_explained
    FROM system_full c
    LEFT JOIN cost m ON m.platform = c.platform AND m.system = c.system
    LEFT JOIN deepest d ON d.platform = c.platform AND d.system = c.system
    LEFT JOIN waiting q ON q.platform = m.platform AND q.system = m.system AND q.lcu = m.lcu
    LEFT JOIN slow_explained e ON e.platform = m.platform AND e.system = m.system AND e.lcu = m.lcu
    LEFT JOIN lcu_box h ON h.platform = m.platform AND h.system = m.system AND h.lcu = m.lcu
{% endcall %}
ORDER BY a.platform, a.system, a.lost_s DESC, a.lcu

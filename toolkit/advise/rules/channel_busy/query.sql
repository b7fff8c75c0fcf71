-- question: channel_busy
-- title: Systems with full channels to disks, and the LCUs most of whose I/Os go through them
-- grain: one row per platform, system, lcu
-- parameter $used_ratio DOUBLE [ratio]: Of the channel's processor, bus or link
-- parameter $taken_ratio DOUBLE [ratio]: Of the LCU's I/Os that take such a channel
-- parameter $io_rate DOUBLE [per s]: Rate of the LCU below which its times scatter
-- parameter $cmr_above_ms DOUBLE [ms]: Command response time above the usual value, from which on a path is slow
-- parameter $cmr_above_factor DOUBLE []: Times the usual value
-- parameter $minutes DOUBLE [minutes]: In one run of bad intervals
-- parameter $deep_share DOUBLE [ratio]: Lost of the response of an interval that counts by its depth
-- parameter $deep_ios DOUBLE [I/Os]: That stand all through the least duration, in the mean of a shorter run
-- column channels VARCHAR []: Channels that were full, separated by |
-- column channel_count BIGINT []: How many they are
-- column own_ratio DOUBLE [ratio 0..1]: Share of the own partition in what fills them, in the run that lost most: of busy, or of bytes where bus or link is fuller; NULL if unknown
-- column own_bytes_rate DOUBLE [bytes per second]: Those of the own partition, mean
-- column others_ratio DOUBLE [ratio 0..1]: How much the system's other channels to disks were used then, mean
-- column other_count BIGINT []: How many these are
-- column usual_conn_ms DOUBLE [milliseconds]: Its connect, the fourth of its own best intervals
-- column path_ms DOUBLE [milliseconds]: Its pend without device busy then, weighted by rate
-- column open_ios DOUBLE [I/Os]: Most I/Os open to it at once, mean of an interval
-- column waited_s DOUBLE [s]: Time in the host's queue then, summed over the I/Os of these volumes
-- column is_path_explained BOOLEAN []: Its command response time is long at no other time
-- column deep_s DOUBLE [s]: Most that a run of deep intervals lost; NULL where there is none
WITH {{ full_channels("$used_ratio", "$taken_ratio") }},
full_channel AS (
    SELECT * FROM believed WHERE used_ratio >= $used_ratio
),
bad AS (
    SELECT
        platform, system, interval_start, local_start,
        max(local_end) AS local_end,
        sum(used_ratio) AS lost
    FROM full_channel
    GROUP BY platform, system, interval_start, local_start
),
worst AS ({{ worst_run("bad", "platform, system") }}),
-- whose work fills them in the worst run: busy is a partition's by time, bus and link by bytes
carried AS (
    SELECT
        f.platform, f.system,
        CASE WHEN f.busy_ratio >= f.used_ratio THEN f.partition_busy_ratio ELSE c.own_bytes_rate END AS own,
        CASE WHEN f.busy_ratio >= f.used_ratio THEN f.busy_ratio ELSE c.bytes_rate END AS of_all,
        c.bytes_rate, c.own_bytes_rate
    FROM full_channel f
    JOIN worst w
        ON w.platform = f.platform AND w.system = f.system
        AND f.local_start >= w.window_start AND f.local_start < w.window_end
    LEFT JOIN (
        SELECT
            platform, system, interval_start, channel_path,
            read_bytes_rate + write_bytes_rate AS bytes_rate,
            partition_read_bytes_rate + partition_write_bytes_rate AS own_bytes_rate
        FROM channel_interval
    ) AS c
        ON c.platform = f.platform AND c.system = f.system AND c.interval_start = f.interval_start
        AND c.channel_path = f.channel_path
),
own_part AS (
    SELECT
        platform, system,
        sum(own) / nullif(sum(CASE WHEN own IS NOT NULL THEN of_all END), 0) AS own_ratio,
        avg(bytes_rate) AS bytes_rate,
        avg(own_bytes_rate) AS own_bytes_rate
    FROM carried
    GROUP BY platform, system
),
channels AS (
    SELECT
        platform, system,
        array_join(sort_array(collect_set(channel_path)), '|') AS channels,
        count(DISTINCT channel_path) AS channel_count,
        max(used_ratio) AS used_ratio,
        max(busy_ratio) AS busy_ratio,
        max(partition_busy_ratio) AS partition_busy_ratio,
        max(bus_busy_ratio) AS bus_busy_ratio,
        max(link_ratio) AS link_ratio,
        avg(bytes_per_operation) AS bytes_per_operation,
        avg(zhpf_ratio) AS zhpf_ratio,
        bool_or(is_lcu_known) AS is_lcu_known
    FROM full_channel
    GROUP BY platform, system
),
others AS (
    SELECT u.platform, u.system, avg(u.used_ratio) AS others_ratio, count(DISTINCT u.channel_path) AS other_count
    FROM disk_channel_interval u
    JOIN bad b ON b.platform = u.platform AND b.system = u.system AND b.interval_start = u.interval_start
    LEFT JOIN (SELECT DISTINCT platform, system, channel_path FROM full_channel) f
        ON f.platform = u.platform AND f.system = u.system AND f.channel_path = u.channel_path
    WHERE f.channel_path IS NULL
    GROUP BY u.platform, u.system
),
{{ slow_paths("$io_rate", "$cmr_above_ms", "$cmr_above_factor") }},
through AS (
    SELECT platform, system, lcu, interval_start FROM full_way
    UNION ALL
    -- if the channels of all LCUs are unknown: the LCUs that answer late just then
    SELECT s.platform, s.system, s.lcu, s.interval_start
    FROM slow s
    JOIN (SELECT DISTINCT platform, system, interval_start FROM full_then) f
        ON f.platform = s.platform AND f.system = s.system AND f.interval_start = s.interval_start
    LEFT JOIN (SELECT DISTINCT platform, system FROM disk_path) k ON k.platform = s.platform AND k.system = s.system
    WHERE k.system IS NULL
),
{{ slow_paths_within("through", "$minutes", "$deep_ios", "$deep_share") }},
timed AS (
    SELECT *, pend_ms - device_busy_ms AS path_ms FROM lcu_interval
    WHERE {{ has_enough_io("io_rate", "$io_rate", "pend_ms") }}
),
usual AS (
    -- the fourth of its best intervals, whatever share of the span was bad
    SELECT
        platform, system, lcu,
        max(CASE WHEN path_place <= 4 THEN path_ms END) AS usual_ms,
        max(CASE WHEN conn_place <= 4 THEN conn_ms END) AS usual_conn_ms
    FROM (
        SELECT platform, system, lcu, path_ms, conn_ms,
            row_number() OVER (PARTITION BY platform, system, lcu ORDER BY path_ms) AS path_place,
            row_number() OVER (PARTITION BY platform, system, lcu ORDER BY conn_ms) AS conn_place
        FROM timed
        WHERE io_rate >= $io_rate
    ) AS best
    GROUP BY platform, system, lcu
),
cost AS (
    SELECT
        t.platform, t.system, t.lcu,
        max(u.usual_ms) AS usual_ms,
        max(u.usual_conn_ms) AS usual_conn_ms,
        {{ mean_of("t.path_ms", "t.io_rate") }} AS path_ms,
        {{ mean_of("t.conn_ms", "t.io_rate") }} AS conn_ms,
        {{ mean_of("t.response_ms", "t.io_rate") }} AS response_ms,
        {{ mean_of("t.wait_ms", "t.io_rate") }} AS wait_ms,
        sum(t.io_rate) AS rate_sum,
        max(t.io_rate * (t.cmr_ms + t.conn_ms + t.disc_ms) / 1000) AS open_ios,
        sum(t.io_rate * at_least_0(t.path_ms - u.usual_ms) * t.interval_s) / 1000 AS lost_s
    FROM timed t
    JOIN through h
        ON h.platform = t.platform AND h.system = t.system AND h.lcu = t.lcu AND h.interval_start = t.interval_start
    JOIN usual u ON u.platform = t.platform AND u.system = t.system AND u.lcu = t.lcu
    GROUP BY t.platform, t.system, t.lcu
),
deep AS (
    SELECT
        t.platform, t.system, t.local_start,
        max(t.local_end) AS local_end,
        sum(t.io_rate * (t.path_ms - u.usual_ms) * t.interval_s) / 1000 AS lost
    FROM timed t
    JOIN through h
        ON h.platform = t.platform AND h.system = t.system AND h.lcu = t.lcu AND h.interval_start = t.interval_start
    JOIN usual u ON u.platform = t.platform AND u.system = t.system AND u.lcu = t.lcu
    WHERE t.path_ms - u.usual_ms >= $deep_share * t.response_ms
    GROUP BY t.platform, t.system, t.local_start
),
deepest AS ({{ worst_run("deep", "platform, system") }}),
{{ waiting_within("through") }}
SELECT
    c.platform, c.system, c.channels, c.channel_count, c.used_ratio, c.busy_ratio, c.partition_busy_ratio,
    c.bus_busy_ratio, c.link_ratio, p.own_ratio, p.bytes_rate, p.own_bytes_rate, c.bytes_per_operation, c.zhpf_ratio,
    c.is_lcu_known,
    o.others_ratio, o.other_count, m.lcu, m.usual_ms, m.usual_conn_ms, m.path_ms, m.conn_ms, m.response_ms,
    m.wait_ms, m.rate_sum, m.open_ios, m.lost_s, q.waiting, q.waited_s, h.box, h.serial, h.control_unit_type,
    h.lcus_in_box, e.lcu IS NOT NULL AS is_path_explained,
    d.worst_lost AS deep_s, w.longest_s, w.window_start, w.window_end, w.bad_intervals, w.runs, w.first_start, w.last_end, w.bad_days
FROM channels c
JOIN worst w ON w.platform = c.platform AND w.system = c.system
LEFT JOIN deepest d ON d.platform = c.platform AND d.system = c.system
LEFT JOIN own_part p ON p.platform = c.platform AND p.system = c.system
LEFT JOIN others o ON o.platform = c.platform AND o.system = c.system
LEFT JOIN cost m ON m.platform = c.platform AND m.system = c.system
LEFT JOIN waiting q ON q.platform = m.platform AND q.system = m.system AND q.lcu = m.lcu
LEFT JOIN slow_explained e ON e.platform = m.platform AND e.system = m.system AND e.lcu = m.lcu
LEFT JOIN lcu_box h ON h.platform = m.platform AND h.system = m.system AND h.lcu = m.lcu
ORDER BY c.platform, c.system, m.lost_s DESC, m.lcu

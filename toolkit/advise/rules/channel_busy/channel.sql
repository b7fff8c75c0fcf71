-- title: The full channels of systems, whose work fills them, and the other channels at the same time
-- grain: one row per platform, system
-- column channels VARCHAR []: Channels that were full, separated by |
-- column channel_count BIGINT []: How many they are
-- column enough_ratio DOUBLE [ratio]: How many times these channels would keep the fullest one just below the threshold
-- column own_ratio DOUBLE [ratio 0..1]: Share of the own partition in what fills them, in the run that lost most: of busy, or of bytes where bus or link is fuller; NULL if unknown
-- column others_ratio DOUBLE [ratio 0..1]: How much the system's other channels to disks were used then, mean
-- column other_count BIGINT []: How many these are
-- column volumes VARCHAR []: Volumes they lead to where configuration records of z/VM show it, separated by |
-- column fullest VARCHAR []: The part of the channels that is used most: processor, bus or link
-- column is_foreign BOOLEAN []: The work on the channels is mostly that of other partitions
WITH {{ full_channel_intervals() }},
worst AS ({{ worst_run("bad", "platform, system") }}),
-- whose work fills them in the worst run: busy is a partition's by time, bus and link by bytes
carried AS (
    SELECT
        f.platform, f.system,
        CASE
            WHEN f.busy_ratio >= f.used_ratio THEN f.partition_busy_ratio
            ELSE c.partition_read_bytes_rate + c.partition_write_bytes_rate
        END AS own,
        CASE WHEN f.busy_ratio >= f.used_ratio THEN f.busy_ratio ELSE c.read_bytes_rate + c.write_bytes_rate END AS of_all
    FROM full_channel f
    JOIN worst w ON {{ equal("platform, system", "w", "f") }} AND f.local_start >= w.window_start
        AND f.local_start < w.window_end
    LEFT JOIN channel_interval c ON {{ equal("platform, system, interval_start, channel_path", "c", "f") }}
),
own_part AS (
    SELECT platform, system, sum(own) / nullif(sum(CASE WHEN own IS NOT NULL THEN of_all END), 0) AS own_ratio
    FROM carried
    GROUP BY platform, system
),
channels AS (
    SELECT
        platform, system,
        array_join(sort_array(collect_set(channel_path)), '|') AS channels,
        count(DISTINCT channel_path) AS channel_count,
        {{ each("max(NAME)", "used_ratio busy_ratio partition_busy_ratio bus_busy_ratio link_ratio") }},
        {{ each("avg(NAME)", "bytes_per_operation zhpf_ratio") }}
    FROM full_channel
    GROUP BY platform, system
),
others AS (
    SELECT u.platform, u.system, avg(u.used_ratio) AS others_ratio, count(DISTINCT u.channel_path) AS other_count
    FROM disk_channel_interval u
    JOIN bad b ON b.platform = u.platform AND b.system = u.system AND b.interval_start = u.interval_start
    LEFT JOIN (SELECT DISTINCT platform, system, channel_path FROM full_channel) f
        ON {{ equal("platform, system, channel_path", "f", "u") }}
    LEFT JOIN (SELECT DISTINCT platform, system, channel_path, interval_start FROM lcu_path_interval WHERE NOT online) l
        ON {{ equal("platform, system, channel_path, interval_start", "l", "u") }}
    WHERE f.channel_path IS NULL AND l.channel_path IS NULL
    GROUP BY u.platform, u.system
),
led AS (
    SELECT f.platform, f.system, array_join(sort_array(collect_set(k.volume)), '|') AS volumes
    FROM (SELECT DISTINCT platform, system, channel_path FROM full_channel) f
    JOIN volume_channel k ON k.platform = f.platform AND k.system = f.system
        AND '|' || k.channels || '|' LIKE '%|' || f.channel_path || '|%'
    GROUP BY f.platform, f.system
)
SELECT
    c.*, c.used_ratio / $used_ratio AS enough_ratio, p.own_ratio, o.others_ratio, o.other_count, l.volumes,
    CASE
        WHEN coalesce(busy_ratio, 0) >= greatest(coalesce(bus_busy_ratio, 0), coalesce(link_ratio, 0)) THEN 'processor'
        WHEN coalesce(bus_busy_ratio, 0) >= coalesce(link_ratio, 0) THEN 'bus'
        ELSE 'link'
    END AS fullest,
    coalesce(p.own_ratio < $own_ratio, FALSE) AS is_foreign
FROM channels c
LEFT JOIN own_part p ON p.platform = c.platform AND p.system = c.system
LEFT JOIN others o ON o.platform = c.platform AND o.system = c.system
LEFT JOIN led l ON l.platform = c.platform AND l.system = c.system
ORDER BY c.platform, c.system

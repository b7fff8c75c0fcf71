-- title: What records show about the channels, the channel paths and the control units of LCUs with a slow path
-- grain: one row per platform, system, lcu
-- column without_channels BIGINT []: 1 if no record shows the channels of the LCU
-- column without_paths BIGINT []: 1 if no record shows the channel paths of the LCU
-- column full_channels VARCHAR []: The system's channels to disks that are full then, separated by |; NULL for none
-- column is_way_known BOOLEAN []: Records show the channels of these volumes, and full_channels has theirs only
-- column free_channels VARCHAR []: Channels of the same volumes that have far less to do in all of these intervals; NULL for none, or if it is unknown
-- column conn_ms DOUBLE [milliseconds]: Connect of volumes without command response time then
-- column gone_paths VARCHAR []: Channel paths to the LCU that were online before only, separated by |; NULL for none
-- column new_paths VARCHAR []: Those that were not online before
-- column channel_used_ratio DOUBLE [ratio 0..1]: How much the fullest is used, worst interval
-- column own_ratio DOUBLE [ratio 0..1]: Share of the own partition in the use of the full ones, if others fill them; else NULL
-- column cu_queue_ms DOUBLE [milliseconds]: Time queued in the control unit per I/O, if it is most of the delay
WITH {{ slow_ways() }},
counted AS (
    SELECT
        b.*, b.cmr_ms - b.usual_ms AS delay_ms, c.channel_path, c.busy_ratio, c.partition_busy_ratio,
        CASE
            WHEN '|' || coalesce(b.channels, c.channel_path) || '|' LIKE '%|' || c.channel_path || '|%' THEN c.used_ratio
        END AS used_ratio
    FROM bad b
    LEFT JOIN disk_channel_interval c ON {{ equal("platform, system", "c", "b") }}
        AND unix_micros(c.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(c.interval_start) + c.interval_s * 1e6 > unix_micros(b.interval_start)
),
used AS (
    SELECT
        *, max(used_ratio) OVER (PARTITION BY platform, system, lcu, channel_path) AS most_used,
        CASE WHEN used_ratio >= $used_ratio AND partition_busy_ratio IS NOT NULL THEN busy_ratio END AS full_busy
    FROM counted
),
path AS (
    SELECT
        platform, system, lcu, channel_path,
        min(unix_micros(interval_start) + 5e5 * interval_s) AS first_us,
        max(unix_micros(interval_start) + 5e5 * interval_s) AS last_us
    FROM lcu_path_interval
    WHERE coalesce(online, TRUE)
    GROUP BY platform, system, lcu, channel_path
),
changed AS (
    SELECT
        p.platform, p.system, p.lcu,
        nullif(array_join(sort_array(collect_set(CASE WHEN p.last_us < b.start_us THEN p.channel_path END)), '|'), '')
            AS gone_paths,
        nullif(array_join(sort_array(collect_set(CASE WHEN p.first_us >= b.start_us THEN p.channel_path END)), '|'), '')
            AS new_paths
    FROM path p
    JOIN (
        SELECT platform, system, lcu, min(unix_micros(interval_start)) AS start_us FROM bad GROUP BY platform, system, lcu
    ) b ON {{ equal("platform, system, lcu", "b", "p") }}
    GROUP BY p.platform, p.system, p.lcu
)
SELECT
    c.platform, c.system, c.lcu,
    CAST(max(CASE WHEN c.channel_path IS NULL THEN 1 ELSE 0 END) AS BIGINT) AS without_channels,
    CAST(CASE WHEN count(r.lcu) > 0 THEN 0 ELSE 1 END AS BIGINT) AS without_paths,
    nullif(array_join(sort_array(collect_set(CASE WHEN c.used_ratio >= $used_ratio THEN c.channel_path END)), '|'), '')
        AS full_channels,
    bool_and(c.channels IS NOT NULL) AS is_way_known,
    nullif(array_join(sort_array(collect_set(
        CASE WHEN c.channels IS NOT NULL AND c.most_used <= $free_share * $used_ratio THEN c.channel_path END
    )), '|'), '') AS free_channels,
    {{ mean_of("c.conn_ms", "c.io_rate") }} AS conn_ms,
    {{ each("max(r.NAME)", "gone_paths new_paths") }},
    max(c.used_ratio) AS channel_used_ratio,
    CASE
        WHEN sum(CASE WHEN c.full_busy > 0 THEN c.partition_busy_ratio END) < $own_ratio * sum(c.full_busy)
            THEN sum(CASE WHEN c.full_busy > 0 THEN c.partition_busy_ratio END) / sum(c.full_busy)
    END AS own_ratio,
    CASE
        WHEN sum(c.io_rate * c.cu_queue_ms) >= $cu_queue_share * sum(c.io_rate * c.delay_ms)
            THEN sum(c.io_rate * c.cu_queue_ms) / sum(c.io_rate)
    END AS cu_queue_ms
FROM used c
LEFT JOIN changed r ON {{ equal("platform, system, lcu", "r", "c") }}
GROUP BY c.platform, c.system, c.lcu
ORDER BY c.platform, c.system, c.lcu

-- question: slow_path_recorded
-- title: Whether records show the channels and the channel paths of LCUs with a slow path
-- grain: one row per platform, system, lcu
-- column without_channels BIGINT []: 1 if no record shows the channels of the LCU
-- column without_paths BIGINT []: 1 if no record shows the channel paths of the LCU
-- column fullest_channel VARCHAR []: The channel of the system to disks that is used most then, if it is full
-- column channel_used_ratio DOUBLE [ratio 0..1]: How much it is used, worst interval
WITH {{ slow_ways() }},
counted AS (
    SELECT
        b.platform, b.system, b.lcu, b.interval_start, count(c.interval_start) AS channels,
        max_by(c.channel_path, c.used_ratio) AS fullest_channel, max(c.used_ratio) AS used_ratio
    FROM bad b
    LEFT JOIN disk_channel_interval c
        ON c.platform = b.platform AND c.system = b.system
        AND unix_micros(c.interval_start) < unix_micros(b.interval_start) + b.interval_s * 1e6
        AND unix_micros(c.interval_start) + c.interval_s * 1e6 > unix_micros(b.interval_start)
    GROUP BY b.platform, b.system, b.lcu, b.interval_start
)
SELECT
    c.platform, c.system, c.lcu,
    CAST(CASE WHEN min(c.channels) > 0 THEN 0 ELSE 1 END AS BIGINT) AS without_channels,
    CAST(CASE WHEN count(r.lcu) > 0 THEN 0 ELSE 1 END AS BIGINT) AS without_paths,
    CASE WHEN max(c.used_ratio) >= $used_ratio THEN max_by(c.fullest_channel, c.used_ratio) END AS fullest_channel,
    max(c.used_ratio) AS channel_used_ratio
FROM counted c
LEFT JOIN (SELECT DISTINCT platform, system, lcu FROM lcu_path_interval) r
    ON r.platform = c.platform AND r.system = c.system AND r.lcu = c.lcu
GROUP BY c.platform, c.system, c.lcu
ORDER BY c.platform, c.system, c.lcu

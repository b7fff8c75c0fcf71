-- reach: a day
-- title: Use of the fullest channel to disks in the intervals of systems that measured volumes
-- grain: one row per platform, system, interval_start
-- columns: platform, system, interval_start, channel_used_ratio
-- note: See volume_headroom, which is made of it.
WITH channel AS (
    SELECT
        a.platform, a.system, a.interval_start, u.channel_path,
        sum(u.used_ratio * u.interval_s) / sum(u.interval_s) AS used_ratio
    FROM disk_channel_interval u
    JOIN device_alignment a ON {{ equal("platform, system", "a", "u") }}
        AND a.other_start = u.interval_start AND a.other_s = u.interval_s
    GROUP BY a.platform, a.system, a.interval_start, u.channel_path
)
SELECT platform, system, interval_start, max(used_ratio) AS channel_used_ratio
FROM channel
GROUP BY platform, system, interval_start

-- title: Full channels whose link ran faster before
-- grain: one row per platform, system
-- column slowed VARCHAR []: These channels, separated by |
-- column slowed_start TIMESTAMP [local time]: Since when the first of them is slower
-- column slowed_bits DOUBLE [bits per second]: The slowest speed of one
-- column fast_bits DOUBLE [bits per second]: The fastest before
WITH timed AS (
    SELECT
        platform, system, channel_path, interval_start, local_start, speed_bits_rate,
        max(speed_bits_rate) OVER (PARTITION BY platform, system, channel_path ORDER BY interval_start) AS before_bits
    FROM channel_interval
),
slower AS (
    SELECT
        t.platform, t.system, t.channel_path,
        min(t.local_start) AS local_start, min(t.speed_bits_rate) AS speed_bits_rate, max(t.before_bits) AS before_bits
    FROM timed t
    JOIN disk_channel_interval u ON {{ equal("platform, system, channel_path, interval_start", "u", "t") }}
    WHERE t.speed_bits_rate < t.before_bits
    GROUP BY t.platform, t.system, t.channel_path
    HAVING max(u.used_ratio) >= $used_ratio
)
SELECT
    platform, system,
    array_join(sort_array(collect_set(channel_path)), '|') AS slowed,
    min(local_start) AS slowed_start, min(speed_bits_rate) AS slowed_bits, max(before_bits) AS fast_bits
FROM slower
GROUP BY platform, system
ORDER BY platform, system

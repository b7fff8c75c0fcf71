-- title: All volumes of the boxes with closed work, in the worst such interval of each hour of the day
-- grain: one row per pool_platform, pool_system, pool, interval, platform, system, volume; one per box, interval, platform, system, volume for volumes with aliases of their own
-- parameter $queue_length DOUBLE [I/Os]: Queued in the host for a volume or a pool
-- parameter $busy DOUBLE [ratio]: Of its exposures or aliases in use
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
-- parameter $denied_ratio DOUBLE [ratio]: I/Os of a pool without a free alias in an interval
-- column pool_platform VARCHAR []: Operating system whose pool it is
-- column pool_system VARCHAR []: System whose pool it is
-- column pool_size BIGINT []: Aliases of the pool in this interval
-- column interval_lost_s DOUBLE [s]: Time in the host's queue in this interval, summed over the I/Os of closed work
-- column is_closed BOOLEAN []: Waits with closed work, for an exposure of its own or for the pool
WITH {{ closed_volumes() }},
{{ closed_pools() }},
-- the boxes of a group's LCUs, where no record shows that they are one
lcu_then AS (
    SELECT l.platform, l.system, l.pool, l.lcu, l.interval_start, r.interval_s, r.aliases, r.lost
    FROM lcu_alias_interval l
    JOIN pool_hour r ON {{ equal("platform, system, pool, interval_start", "r", "l") }}
),
crowd AS (
    SELECT DISTINCT
        l.platform AS pool_platform, l.system AS pool_system, l.pool, l.aliases AS pool_size, l.lost, s.box,
        s.box_interval_start, l.interval_start, l.interval_s
    FROM box_volume_interval s
    JOIN lcu_then l ON {{ equal("platform, system, lcu, interval_start", "l", "s") }}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, lost, box, box_interval_start, interval_start, interval_s FROM box_hour
),
looked_at AS (
    SELECT DISTINCT box, box_interval_start, interval_start, interval_s FROM crowd
),
{{ members_then("looked_at") }}
SELECT
    b.pool_platform, b.pool_system, b.pool, b.pool_size, b.lost AS interval_lost_s,
    CASE WHEN b.pool IS NULL THEN c.volume IS NOT NULL ELSE l.lcu IS NOT NULL END AS is_closed,
    s.*
FROM crowd b
JOIN member s ON {{ equal("box, interval_start, interval_s", "s", "b") }}
LEFT JOIN closed_then c ON {{ equal("box, interval_start, platform, system, volume", "c", "s") }}
LEFT JOIN lcu_alias_interval l ON l.platform = b.pool_platform AND l.system = b.pool_system
    AND {{ equal("pool, interval_start", "l", "b") }} AND {{ equal("platform, system, lcu", "l", "s") }}
ORDER BY b.pool_platform, b.pool_system, b.pool, s.interval_start, s.box, s.system, s.volume

-- title: Intervals in which the same closed work ran with other numbers of aliases
-- grain: one row per platform, system, pool, interval, trial; one per box, interval, exposures, trial for all volumes with as many exposures of their own
-- parameter $queue_length DOUBLE [I/Os]: Queued in the host for a volume or a pool
-- parameter $busy DOUBLE [ratio]: Of its exposures or aliases in use
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
-- parameter $denied_ratio DOUBLE [ratio]: I/Os of a pool without a free alias in an interval
-- parameter $same_load DOUBLE [ratio]: I/Os outstanding are apart by at most
-- parameter $whole DOUBLE [exposures]: Off a whole number: steady
-- column interval_start TIMESTAMP [UTC]: The interval of closed work that it is compared with
-- column asked_exposures DOUBLE []: Exposures of the volumes then
-- column trial_start TIMESTAMP [UTC]: Interval of the trial, in the same box
-- column trial_s DOUBLE [s]: Its length
-- column trial_aliases DOUBLE []: Aliases of the pool, or of each volume
-- column trial_rate DOUBLE [per second]: I/O rate of the volumes together
-- column trial_in_service DOUBLE []: Mean number of their I/Os in progress
-- column trial_queue DOUBLE []: Mean number waiting in the host
-- column trial_read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes
-- column trial_box_in_service DOUBLE []: I/Os in progress of all volumes in the box; NULL for a pool
WITH {{ closed_volumes() }},
{{ closed_pools() }},
volume_then AS ({{ volumes_at("box_hour") }}),
crowd AS (
    SELECT
        s.box, s.interval_start, s.platform, s.system, s.volume,
        round(s.exposures) AS exposures,
        s.in_service + s.queue_length AS outstanding,
        count(*) OVER (PARTITION BY s.box, s.interval_start, round(s.exposures)) AS volumes
    FROM volume_then s
    JOIN closed_then c ON {{ equal("box, interval_start, platform, system, volume", "c", "s") }}
),
varied_volume AS (
    SELECT platform, system, volume
    FROM worked
    GROUP BY platform, system, volume
    HAVING min(round(exposures)) < max(round(exposures))
),
trial AS (
    SELECT
        t.box, t.interval_start, t.exposures AS asked_exposures, v.interval_start AS trial_start,
        min(round(v.exposures)) AS exposures,
        {{ each("max(v.NAME)", "box_interval_start interval_s") }},
        {{ each("sum(v.NAME)", "io_rate in_service queue_length") }},
        {{ mean_of("v.read_ratio", "v.io_rate") }} AS read_ratio
    FROM worked v
    JOIN crowd t ON t.platform = v.platform AND t.system = v.system AND t.volume = v.volume AND t.box = v.box
    JOIN varied_volume a ON a.platform = v.platform AND a.system = v.system AND a.volume = v.volume
    WHERE NOT v.is_held AND NOT v.is_overfull AND abs(v.in_service + v.queue_length - t.outstanding) <= $same_load * t.outstanding
    GROUP BY t.box, t.interval_start, t.exposures, t.volumes, v.interval_start
    HAVING count(*) = t.volumes AND min(round(v.exposures)) = max(round(v.exposures))
        AND max(abs(v.exposures - round(v.exposures))) <= $whole
),
varied AS ({{ pools_with_sizes() }})
SELECT
    t.box, NULL AS platform, NULL AS system, NULL AS pool, t.interval_start, t.asked_exposures, t.trial_start,
    t.interval_s AS trial_s, t.exposures - 1 AS trial_aliases, t.io_rate AS trial_rate,
    t.in_service AS trial_in_service, t.queue_length AS trial_queue, t.read_ratio AS trial_read_ratio,
    j.in_service AS trial_box_in_service
FROM trial t
LEFT JOIN box_interval j ON j.box = t.box AND j.interval_start = t.box_interval_start
UNION ALL
SELECT
    NULL AS box, r.platform, r.system, r.pool, r.interval_start, NULL AS asked_exposures, t.interval_start AS trial_start,
    t.interval_s AS trial_s, t.aliases AS trial_aliases, t.io_rate AS trial_rate, t.in_service AS trial_in_service,
    t.queue_length AS trial_queue, t.read_ratio AS trial_read_ratio, NULL AS trial_box_in_service
FROM pool_hour r
JOIN varied m ON m.platform = r.platform AND m.system = r.system AND m.pool = r.pool
JOIN alias_pool_load t ON t.platform = r.platform AND t.system = r.system AND t.pool = r.pool AND t.aliases > 0
WHERE coalesce((t.interval_start > r.other_start) = r.is_here, TRUE)
    AND abs(t.in_service + t.queue_length - r.outstanding) <= $same_load * r.outstanding
ORDER BY 1, 2, 3, 4, 5, 6, 7

-- title: Record types that advice needs and that are missing completely
-- grain: one row per kind
-- column kind VARCHAR []: What is missing
-- column count BIGINT []: How many
-- column names VARCHAR []: z/OS LCUs with HyperPAV volumes and no record of their pool, subsystem ids (SSID) of several boxes, alias management groups whose LCUs a listing lacks, or systems whose rates or queues are unknown; in order, separated by |
-- column io_rate DOUBLE [per second]: Starts of the groups on all paths
-- column denied_ratio DOUBLE [per I/O]: Their most refusals
WITH volume AS (
    SELECT count(*) AS intervals, count(CASE WHEN io_rate > 0 THEN volume END) AS busy, count(subsystem) AS cached
    FROM volume_interval
),
missing AS (
    SELECT 1 AS place, 'devices' AS kind, '' AS name, '' AS boxes, NULL AS io_rate, NULL AS denied_ratio
    FROM volume
    WHERE intervals = 0
    UNION ALL
    SELECT 2, 'subsystem', subsystem, boxes, NULL, NULL FROM box_subsystem WHERE boxes IS NOT NULL
    UNION ALL
    SELECT 3, 'cache', '', '', NULL, NULL
    FROM volume
    WHERE cached = 0 AND (intervals = 0 OR busy > 0)
        AND NOT EXISTS (SELECT 1 FROM cache_interval) AND NOT EXISTS (SELECT 1 FROM cache_subsystem_interval)
    UNION ALL
    SELECT 4, 'pool', v.lcu, '', NULL, NULL
    FROM (SELECT DISTINCT lcu FROM volume_interval WHERE platform = 'z/OS' AND is_hyperpav) v
    LEFT JOIN (SELECT DISTINCT lcu FROM lcu_alias_interval) a ON a.lcu = v.lcu
    WHERE v.lcu IS NOT NULL AND a.lcu IS NULL
    UNION ALL
    SELECT 5, 'group', alias_group || ' of ' || system, '', max(io_rate), max(denied_ratio)
    FROM alias_group_interval
    GROUP BY platform, system, alias_group
    HAVING max(lcus) = 0
    UNION ALL
    SELECT 6, 'rate', system, '', NULL, NULL
    FROM volume_interval
    GROUP BY platform, system
    HAVING count(io_rate) = 0
    UNION ALL
    -- of most I/Os
    SELECT 7, 'wait', system, '', NULL, NULL
    FROM volume_interval
    GROUP BY platform, system
    HAVING 2 * sum(CASE WHEN wait_ms IS NULL THEN io_rate END) > sum(io_rate)
)
SELECT
    kind,
    min(platform) AS platform,
    count(*) AS count,
    array_join(sort_array(collect_list(name)), '|') AS names,
    min(boxes) || '|' || max(boxes) AS boxes,
    sum(io_rate) AS io_rate,
    max(denied_ratio) AS denied_ratio
FROM missing
CROSS JOIN (SELECT min(platform) AS platform FROM measured_interval) AS measured
GROUP BY kind
ORDER BY min(place)

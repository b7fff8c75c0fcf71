-- question: untold
-- title: What record types that advice asks for are missing altogether
-- grain: one row
-- column platform VARCHAR []: Operating system that measured; z/OS where both did, NULL where neither
-- column volumes BIGINT []: Volumes that did I/O
-- column volume_rows BIGINT []: Intervals of volumes, with I/O or without
-- column cache_rows BIGINT []: Cache statistics of devices and of subsystems
-- column pools VARCHAR []: z/OS LCUs with HyperPAV volumes and no record of their pool, in order, separated by |; NULL where there is none
WITH volume AS (
    SELECT count(DISTINCT CASE WHEN io_rate > 0 THEN volume END) AS volumes, count(*) AS volume_rows
    FROM volume_interval
),
who AS (
    SELECT min(platform) AS platform FROM measured_interval
),
cache AS (
    SELECT count(*) AS cache_rows
    FROM (
        SELECT interval_start FROM cache_interval
        UNION ALL
        SELECT interval_start FROM cache_subsystem_interval
    ) AS told
),
pool AS (
    SELECT array_join(sort_array(collect_list(lcu)), '|') AS pools, count(*) AS lcus
    FROM (
        SELECT DISTINCT v.lcu
        FROM volume_interval v
        LEFT JOIN (SELECT DISTINCT lcu FROM lcu_alias_interval) a ON a.lcu = v.lcu
        WHERE v.platform = 'z/OS' AND v.is_hyperpav AND v.lcu IS NOT NULL AND a.lcu IS NULL
    ) AS untold_lcu
)
SELECT w.platform, v.volumes, v.volume_rows, c.cache_rows, CASE WHEN p.lcus > 0 THEN p.pools END AS pools
FROM who w
CROSS JOIN volume v
CROSS JOIN cache c
CROSS JOIN pool p

-- question: missing_records
-- title: What record types that advice asks for are missing altogether
-- grain: one row
-- column volume_rows BIGINT []: Intervals of volumes, with I/O or without
-- column cache_rows BIGINT []: Cache statistics of devices and of subsystems, and intervals of volumes that have some, whichever system gathered them
-- column pools VARCHAR []: z/OS LCUs with HyperPAV volumes and no record of their pool, in order, separated by |; NULL where there is none
-- column subsystems VARCHAR []: Subsystem ids (SSID) that records name in several boxes, in order, separated by |; NULL where there is none
-- column cut_groups VARCHAR []: Alias management groups that a listing prints without any of their LCUs, in order, separated by |; NULL where there is none, as the two that follow
-- column cut_rate DOUBLE [per second]: Their starts on all paths
-- column cut_refusals DOUBLE [per I/O]: Their most refusals
WITH volume AS (
    SELECT count(DISTINCT CASE WHEN io_rate > 0 THEN volume END) AS volumes, count(*) AS volume_rows,
        count(subsystem) AS cached_rows
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
),
twice AS (
    SELECT
        array_join(sort_array(collect_list(subsystem)), '|') AS subsystems,
        min(boxes) || '|' || max(boxes) AS boxes,
        count(*) AS many
    FROM box_subsystem
    WHERE boxes IS NOT NULL
),
cut_group AS (
    SELECT
        array_join(sort_array(collect_list(named)), '|') AS cut_groups,
        count(*) AS many,
        sum(io_rate) AS cut_rate,
        max(denied_ratio) AS cut_refusals
    FROM (
        SELECT alias_group || ' of ' || system AS named, max(io_rate) AS io_rate, max(denied_ratio) AS denied_ratio
        FROM alias_group_interval
        GROUP BY platform, system, alias_group
        HAVING max(lcus) = 0
    ) AS printed
)
SELECT
    w.platform, v.volumes, v.volume_rows, c.cache_rows + v.cached_rows AS cache_rows,
    CASE WHEN p.lcus > 0 THEN p.pools END AS pools,
    CASE WHEN t.many > 0 THEN t.subsystems END AS subsystems,
    t.boxes,
    CASE WHEN g.many > 0 THEN g.cut_groups END AS cut_groups,
    g.cut_rate,
    g.cut_refusals
FROM who w
CROSS JOIN volume v
CROSS JOIN cache c
CROSS JOIN pool p
CROSS JOIN twice t
CROSS JOIN cut_group g

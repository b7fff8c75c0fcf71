-- title: Volumes that share an extent pool, an LCU or channel paths with a volume
-- grain: one row per system, volume
-- parameter $volume VARCHAR []: The volume
-- parameter $system VARCHAR []: The system that measured it
-- columns: volume, system
-- column shares VARCHAR []: What the two share
-- column ranks VARCHAR []: Ranks of the extent pool, if it is shared
-- columns: lcu, io_rate, response_ms, lost_s
-- note: Extent pools are compared within a box. Volumes of an LCU share its paths; paths of other LCUs are compared by channel on the same system.
WITH total AS (
    SELECT
        b.box, v.system, v.volume, max(v.lcu) AS lcu, max(v.extent_pool) AS extent_pool, sum(v.active_s) AS active_s,
        sum(v.all_ios) AS all_ios, sum(v.ios) AS ios, sum(v.response_s) AS response_s, sum(v.lost_s) AS lost_s
    FROM _volume_day v
    LEFT {{ join_volume_box_then("b", "v") }}
    WHERE v.all_ios > 0
    GROUP BY b.box, v.system, v.volume
),
own AS (
    SELECT * FROM total WHERE volume = $volume AND system = $system
),
pool_rank AS (
    SELECT box, extent_pool, array_join(sort_array(collect_list(rank)), ', ') AS ranks
    FROM (SELECT DISTINCT box, extent_pool, rank FROM rank_interval)
    GROUP BY box, extent_pool
),
way AS (
    SELECT DISTINCT platform, system, lcu, channel_path FROM lcu_path_interval
),
shared_path AS (
    SELECT DISTINCT p.system, p.lcu
    FROM way p
    JOIN way o ON o.platform = p.platform AND o.system = p.system AND o.channel_path = p.channel_path
    JOIN own ON own.system = o.system AND own.lcu = o.lcu
),
found AS (
    SELECT
        t.*,
        CASE WHEN t.extent_pool = own.extent_pool AND t.box = own.box THEN t.extent_pool END AS pool,
        CASE WHEN t.lcu = own.lcu AND t.system = own.system THEN t.lcu END AS own_lcu,
        s.lcu AS path_lcu
    FROM total t
    JOIN own ON t.volume <> own.volume
    LEFT JOIN shared_path s ON s.system = t.system AND s.lcu = t.lcu
)
SELECT
    f.volume, f.system,
    concat_ws(', ', 'extent pool ' || pool, CASE
        WHEN own_lcu IS NOT NULL THEN 'LCU ' || own_lcu || ' and its paths'
        WHEN path_lcu IS NOT NULL THEN 'channel paths'
    END) AS shares,
    CASE WHEN pool IS NOT NULL THEN r.ranks END AS ranks,
    f.lcu, all_ios / active_s AS io_rate, response_s * 1000 / ios AS response_ms, lost_s
FROM found f
LEFT JOIN pool_rank r ON r.box = f.box AND r.extent_pool = f.pool
WHERE pool IS NOT NULL OR own_lcu IS NOT NULL OR path_lcu IS NOT NULL
ORDER BY lost_s DESC NULLS LAST, f.volume, f.system

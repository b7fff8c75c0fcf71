-- reach: a day
-- title: Load of the volumes of an LCU whose aliases come from a pool, interval by interval
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, pool, lcu
-- column box VARCHAR []: First of the boxes of these volumes that a record names; NULL if none does
-- column in_use DOUBLE []: Least mean number of aliases in use, see alias_pool_load
-- columns: in_service, queue_length, io_rate
-- column read_rate DOUBLE [per second]: Reads of volumes whose share of reads is known
-- column known_rate DOUBLE [per second]: I/Os of these volumes
-- note: See alias_pool_load, which is made of it.
SELECT
    l.platform, l.system, l.interval_start, l.pool, l.lcu,
    min(CASE WHEN v.serial IS NOT NULL THEN v.box END) AS box,
    sum(at_least_0(v.in_service - 1)) AS in_use,
    {{ each("sum(v.NAME)", "in_service queue_length io_rate") }},
    sum(v.read_ratio * v.io_rate) AS read_rate,
    sum(CASE WHEN v.read_ratio IS NOT NULL THEN v.io_rate END) AS known_rate
FROM box_volume_interval v
JOIN lcu_alias_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "v") }}
GROUP BY l.platform, l.system, l.interval_start, l.pool, l.lcu

-- view: alias_pool_load
-- layer: derived
-- title: Load of all volumes of an alias pool, interval by interval
-- grain: one row per platform, system, pool, interval_start
-- columns: platform, system, pool, interval_start, interval_s
-- column aliases BIGINT []: Aliases of the pool; NULL if no source has the number configured
-- column in_use DOUBLE []: Least mean number of aliases in use: a base that is always busy has one I/O less than its volume
-- columns: in_service, queue_length, io_rate, read_ratio
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- note: Only pools that denied an I/O an alias at some time, and intervals with I/O.
SELECT
    l.platform, l.system, l.pool, l.interval_start,
    max(p.interval_s) AS interval_s,
    max(CASE WHEN p.is_size_known THEN p.aliases END) AS aliases,
    sum(at_least_0(v.in_service - 1)) AS in_use,
    {{ each("sum(v.NAME)", "in_service queue_length io_rate") }},
    {{ mean_of("v.read_ratio", "v.io_rate") }} AS read_ratio,
    max(p.utc_offset_s) AS utc_offset_s
FROM box_volume_interval v
JOIN lcu_alias_interval l
    ON l.platform = v.platform AND l.system = v.system AND l.lcu = v.lcu AND l.interval_start = v.interval_start
JOIN (SELECT DISTINCT platform, system, pool FROM lcu_alias_interval WHERE alias_denied_ratio > 0) AS d
    ON d.platform = l.platform AND d.system = l.system AND d.pool = l.pool
JOIN alias_pool_interval p
    ON p.platform = l.platform AND p.system = l.system AND p.pool = l.pool AND p.interval_start = l.interval_start
GROUP BY l.platform, l.system, l.pool, l.interval_start

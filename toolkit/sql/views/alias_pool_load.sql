-- stored: no
-- title: Load of all volumes of an alias pool, interval by interval
-- grain: one row per platform, system, pool, interval_start
-- columns: platform, system, pool, interval_start, interval_s
-- column aliases BIGINT []: Aliases of the pool; NULL if no source has the number configured
-- column in_use DOUBLE []: Least mean number of aliases in use: a base that is always busy has one I/O less than its volume
-- columns: in_service, queue_length, io_rate, read_ratio
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- note: Only pools that denied an I/O an alias at some time, and intervals with I/O.
SELECT
    p.platform, p.system, p.pool, p.interval_start, p.interval_s, p.utc_offset_s,
    CASE WHEN p.is_size_known THEN p.aliases END AS aliases,
    {{ each("m.NAME", "in_use in_service queue_length io_rate read_ratio") }}
FROM (
    SELECT *, max(alias_denied_ratio_max) OVER (PARTITION BY platform, system, pool) AS most_denied_ratio
    FROM alias_pool_interval
) AS p
JOIN (
    SELECT
        platform, system, pool, interval_start,
        {{ each("sum(NAME)", "in_use in_service queue_length io_rate") }},
        sum(read_rate) / nullif(sum(known_rate), 0) AS read_ratio
    FROM _pool_member
    GROUP BY platform, system, pool, interval_start
) AS m
    ON m.platform = p.platform AND m.system = p.system AND m.pool = p.pool AND m.interval_start = p.interval_start
WHERE p.most_denied_ratio > 0

-- reach: a day
-- title: Alias pools (an LCU or a SuperPAV group), interval by interval
-- grain: one row per platform, system, pool, interval_start
-- columns: platform, system, pool, interval_start, interval_s
-- column lcus BIGINT []: LCUs of the pool in this interval
-- column aliases BIGINT []: Aliases of all its LCUs
-- columns: is_size_known, alias_io_count
-- column alias_denied_count DOUBLE [events in the interval]: I/Os that could not start for want of a free alias, as counted
-- column alias_refused_count DOUBLE [events in the interval]: The same, worked out from ratio and rate where the source prints no count
-- column alias_denied_ratio_max DOUBLE [ratio]: Highest alias_denied_ratio of its LCUs
-- column alias_high_water BIGINT []: Most aliases in use at once, sum of the LCUs
-- columns: alias_high_water_per_base, alias_borrowed_count
-- column alias_throttled_count BIGINT [events in the interval]: Times I/Os were delayed on purpose by PAV alias throttling
-- column queue_high_water BIGINT []: Most I/Os of an LCU queued at once
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the host, all LCUs
-- column wait_ms DOUBLE [milliseconds]: Longest mean wait of its LCUs
-- columns: waiting_devices, utc_offset_s
-- note: To count the LCUs with an exhausted pool at the same time, query lcu_alias_interval with a threshold.
SELECT
    platform, system, pool, interval_start,
    count(DISTINCT lcu) AS lcus,
    {{ each("CAST(sum(NAME) AS BIGINT)", "aliases alias_high_water alias_throttled_count waiting_devices") }},
    max(hyperpav_aliases) IS NOT NULL AS is_size_known,
    {{ each("sum(NAME)", "alias_io_count alias_denied_count alias_borrowed_count queue_length") }},
    sum(coalesce(alias_denied_count, alias_denied_ratio * coalesce(io_rate, 1) * interval_s)) AS alias_refused_count,
    max(alias_denied_ratio) AS alias_denied_ratio_max,
    {{ each("max(NAME)", "interval_s alias_high_water_per_base queue_high_water wait_ms utc_offset_s") }}
FROM lcu_alias_interval
GROUP BY platform, system, pool, interval_start

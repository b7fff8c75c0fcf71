-- title: Intervals in which the pool of a volume has aliases free, the longest wait first
-- grain: one row per interval_start
-- parameter $volume VARCHAR []: The volume
-- parameter $system VARCHAR []: The system
-- column wait_ms DOUBLE [ms]: IOSQ per I/O
-- column response_ms DOUBLE [ms]: Response per I/O
-- column alias_denied_count DOUBLE [I/Os]: I/Os that were denied an alias
SELECT
    v.interval_start, v.wait_ms, v.queue_length, v.response_ms, l.alias_high_water, l.hyperpav_aliases,
    l.alias_denied_count, v.read_ratio, v.io_rate
FROM volume_interval v
JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "v") }}
WHERE v.volume = $volume AND v.system = $system
    AND coalesce(l.alias_denied_ratio <= $denied_ratio, l.alias_denied_count <= $denied_ratio * l.alias_io_count)
    AND coalesce(l.alias_high_water < l.hyperpav_aliases, l.hyperpav_aliases IS NULL)
ORDER BY v.wait_ms DESC

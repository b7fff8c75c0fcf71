-- title: Volume data for what-ifs, with the box of each volume
-- grain: one row per system, volume, interval
-- parameter $platform VARCHAR []: Operating system that measured
-- parameter $queue_length DOUBLE [I/Os]: Queued in the host: closed work from here on, as the rule closed_load has it
-- parameter $busy DOUBLE [ratio]: Of the exposures in service
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
-- column start TIMESTAMP [UTC]: Start of the interval on the clock of the box, common to its systems
-- column began TIMESTAMP [UTC]: Start of the measured interval; the box's interval may hold several
-- column lcu VARCHAR []: Logical control unit, 4 hex digits; empty where unknown
-- column rate DOUBLE [per second]: I/Os per second
-- column has_known_queue BOOLEAN []: A record shows whether I/Os wait; else wait_ms is 0
-- column device_type VARCHAR []: Device type as the record names it; empty where unknown
-- column pool BIGINT [aliases]: Aliases of its LCU's pool as the system has them in that interval; if unknown, the most it ever had; if no source has them, the most in use in an interval that found none free
-- column refused_ratio DOUBLE [refusals per I/O]: How often an I/O of the LCU found no alias free in that interval; NULL if unknown
-- column queued_most BIGINT [I/Os]: Most I/Os of the LCU queued at once in that interval; NULL if unknown
-- column is_held BOOLEAN []: Another system, see unfit_interval, or SET THROTTLE held the volume
-- column throttled_rate DOUBLE [per second]: I/Os that z/VM delayed because of SET THROTTLE
-- column is_closed BOOLEAN []: Requesters that wait for each answer keep all exposures busy
-- column is_rest BOOLEAN []: Their work may be the cause of its queue
-- note: Rows are ordered by time, system and volume, so that sums are the same to the last digit, whatever else is in the lake.
WITH worked AS ({{ closed_work() }})
SELECT
    v.platform, v.system, b.box_interval_start AS start, v.interval_start AS began, v.interval_s, v.volume, coalesce(v.lcu, '') AS lcu,
    coalesce(v.is_hyperpav, FALSE) AS is_hyperpav,
    v.exposures,
    v.io_rate AS rate,
    coalesce(at_least_0(v.wait_ms), 0) AS wait_ms,
    v.wait_ms IS NOT NULL AS has_known_queue,
    {{ each("coalesce(v.NAME, 0)", "pend_ms disc_ms") }},
    coalesce(v.conn_ms, v.service_ms - coalesce(v.pend_ms, 0) - coalesce(v.disc_ms, 0)) AS conn_ms,
    v.service_ms, v.read_ratio, v.read_hit_ratio, coalesce(v.device_type, '') AS device_type, v.cylinders,
    v.utc_offset_s,
    b.box,
    CAST(coalesce(l.hyperpav_aliases, p.pool, d.pool) AS BIGINT) AS pool,
    l.alias_denied_ratio AS refused_ratio,
    l.queue_high_water AS queued_most,
    coalesce(u.unused_aliases, 0) AS unused_aliases,
    b.is_held,
    b.is_overfull,
    coalesce(v.throttle_delay_rate, 0) AS throttled_rate,
    coalesce(k.is_closed, FALSE) AS is_closed,
    coalesce(k.is_rest AND v.queue_length >= $queue_length, FALSE) AS is_rest
FROM volume_interval v
JOIN box_volume_interval b ON {{ equal("platform, system, volume, interval_start", "b", "v") }}
LEFT JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "v") }}
LEFT JOIN (
    SELECT platform, system, lcu, max(hyperpav_aliases) AS pool FROM lcu_interval GROUP BY platform, system, lcu
) p ON p.platform = v.platform AND p.system = v.system AND p.lcu = v.lcu
LEFT JOIN (
    SELECT platform, system, lcu, max(aliases) AS pool FROM lcu_alias_interval GROUP BY platform, system, lcu
) d ON d.platform = v.platform AND d.system = v.system AND d.lcu = v.lcu
LEFT JOIN unused_alias u ON u.platform = v.platform AND u.system = v.system AND u.volume = v.volume
LEFT JOIN worked k ON {{ equal("platform, system, volume, interval_start", "k", "v") }}
WHERE v.platform = $platform
ORDER BY v.interval_start, v.system, v.volume

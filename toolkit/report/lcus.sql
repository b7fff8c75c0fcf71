-- title: The LCUs of every system, and each system's volumes in no LCU
-- grain: one row per platform, system, unit
-- columns: platform, system, unit, box, serial, control_unit_type, subsystems, volumes
-- column static_aliases DOUBLE []: Static aliases of the volumes
-- column devices BIGINT []: Devices online
-- columns: io_rate, response_ms, wait_ms, pend_ms, disc_ms, conn_ms, lost_h, peak, peak_response_ms, peak_wait_ms
-- columns: peak_rate
-- column aliases BIGINT []: HyperPAV aliases configured
-- columns: high_water
-- column refusals_per_io DOUBLE [refusals per I/O]: The same per I/O, worst interval
-- column denied DOUBLE []: Times an I/O found no alias
-- columns: queue_high_water
-- note: Numbers of an LCU are those of lcu_interval if known, so that they agree with its table.
WITH {{ units_of_systems() }},
total AS (
    SELECT platform, system, unit, {{ over_all_intervals() }}
    FROM by_interval
    GROUP BY platform, system, unit
),
alias AS (
    SELECT platform, system, lcu, max(devices) AS devices,
           sum(io_rate * interval_s) / nullif(sum(interval_s), 0) AS io_rate,
           {{ each(mean_of("NAME", "io_rate * interval_s"), "response_ms wait_ms pend_ms disc_ms conn_ms") }},
           {{ last_of("hyperpav_aliases") }} AS aliases, max(alias_high_water) AS high_water,
           max(alias_denied_ratio) AS refusals_per_io, sum(alias_denied_count) AS denied,
           max(queue_high_water) AS queue_high_water
    FROM lcu_interval
    GROUP BY platform, system, lcu
)
SELECT u.platform, u.system, u.unit, u.box, u.serial, u.control_unit_type, u.subsystems, u.volumes,
       u.static_aliases, a.devices,
       {{ each("coalesce(a.NAME, t.NAME)", "io_rate response_ms wait_ms pend_ms disc_ms conn_ms") }},
       t.lost_h, t.peak, t.peak_response_ms, t.peak_wait_ms, t.peak_rate, a.aliases, a.high_water, a.refusals_per_io,
       a.denied, a.queue_high_water
FROM unit u
JOIN total t ON t.platform = u.platform AND t.system = u.system AND t.unit = u.unit
LEFT JOIN alias a ON a.platform = u.platform AND a.system = u.system AND a.lcu = u.unit
WHERE t.io_rate > 0
ORDER BY t.lost_h DESC NULLS LAST, u.unit, u.system, u.platform

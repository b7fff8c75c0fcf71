-- title: The boxes in cache records, over all systems
-- grain: one row per box
-- columns: box, serial, control_unit_type, volumes, io_rate, response_ms, wait_ms, pend_ms, disc_ms, conn_ms, lost_h
-- columns: peak, peak_response_ms, peak_wait_ms, peak_rate, subsystems
-- column read_rate DOUBLE [per second]: Reads
-- column write_rate DOUBLE [per second]: Writes
-- column destage_rate DOUBLE [tracks per second]: Destage
-- column read_hit_percent DOUBLE [percent]: Read hits
-- column write_hit_percent DOUBLE [percent]: Write hits
-- column delayed_percent DOUBLE [percent]: Writes delayed for lack of NVS
-- column delayed_peak_percent DOUBLE [percent]: The same in the worst interval of a subsystem
-- column cache_gib DOUBLE [GiB]: Cache, as a subsystem reports it
-- column nvs_gib DOUBLE [GiB]: NVS, as a subsystem reports it
-- note: box_clock decides which intervals of systems are the same.
WITH {{ units_of_systems() }},
placed AS (
    SELECT u.box, i.*, coalesce(b.box_interval_start, i.interval_start) AS box_interval_start
    FROM by_interval i
    JOIN unit u ON u.platform = i.platform AND u.system = i.system AND u.unit = i.unit
    LEFT JOIN (SELECT DISTINCT box, platform, system, interval_start, box_interval_start FROM box_clock WHERE is_main) b
        ON b.box = u.box AND b.platform = i.platform AND b.system = i.system AND b.interval_start = i.interval_start
    WHERE u.box IS NOT NULL
),
box_time AS (
    SELECT box, box_interval_start, max(interval_s) AS interval_s, min(t) AS t,
           {{ each("sum(NAME)", "ios response wait pend disc conn") }}
    FROM placed
    GROUP BY box, box_interval_start
),
total AS (
    SELECT box, {{ over_all_intervals() }}
    FROM box_time
    GROUP BY box
),
subsystem_total AS (
    SELECT b.box, c.subsystem,
           {{ each("sum(NAME_count) / nullif(sum(interval_s), 0)", "read write", "NAME_rate") }},
           {{ each("sum(NAME_count)", "read read_hit write write_hit nvs_delay", "NAME_count") }},
           max(nvs_delay_ratio) AS nvs_delay_peak, {{ mean_of("destage_rate", "interval_s") }} AS destage_rate,
           {{ each("max(NAME)", "cache_bytes nvs_bytes") }}
    FROM cache_subsystem_interval c
    {{ join_box_then("b", "c") }}
    GROUP BY b.box, c.subsystem
),
cached AS (
    SELECT box, array_join(sort_array(collect_list(subsystem)), ', ') AS subsystems,
           {{ each("sum(NAME)", "read_rate write_rate destage_rate") }},
           {{ each("100 * sum(NAME_hit_count) / nullif(sum(NAME_count), 0)", "read write", "NAME_hit_percent") }},
           100 * sum(nvs_delay_count) / nullif(sum(write_count), 0) AS delayed_percent,
           100 * max(nvs_delay_peak) AS delayed_peak_percent,
           {{ each("max(NAME_bytes) / 1073741824", "cache nvs", "NAME_gib") }}
    FROM subsystem_total
    GROUP BY box
),
named AS (
    SELECT box, max(serial) AS serial, max(control_unit_type) AS control_unit_type,
           CAST(sum(volumes) AS BIGINT) AS volumes FROM unit GROUP BY box
)
SELECT *
FROM named
JOIN total USING (box)
JOIN cached USING (box)
WHERE io_rate > 0
ORDER BY lost_h DESC NULLS LAST, box

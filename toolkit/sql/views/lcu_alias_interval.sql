-- reach: a day
-- title: LCUs with HyperPAV: how their aliases were used, and the pool they draw on
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu
-- column pool VARCHAR []: What lends and borrows together: group and the number of the alias management group where the records name one, else LCU and its number
-- column alias_group VARCHAR []: Alias management group; NULL without SuperPAV
-- column aliases BIGINT []: Aliases of the LCU: those configured, else the most in use in an interval that found none free
-- column hyperpav_aliases BIGINT []: HyperPAV aliases configured; NULL if no source has them
-- columns: alias_io_count, alias_denied_count, alias_denied_ratio, alias_high_water, alias_high_water_per_base
-- columns: alias_borrowed_count, alias_need_count, queue_high_water
-- column alias_throttled_count BIGINT [events in the interval]: Times I/Os were delayed on purpose by PAV alias throttling
-- columns: io_rate, queue_length, wait_ms, response_ms, waiting_devices, css_delay_ms, cu_busy_delay_ms, open_exchanges
-- columns: path_taken_rate, utc_offset_s
-- note: Rows use the system's device intervals, also for LCUs without a measured device, so that a pool is one row. An I/O queuing listing alone has no devices, so its own intervals are used. It prints no pool size either. If an I/O found no free alias, all of them were in use.
WITH used AS (
    SELECT
        platform, system, interval_start, interval_s, lcu, alias_group, hyperpav_aliases, alias_io_count,
        alias_denied_count, alias_denied_ratio, alias_high_water, alias_high_water_per_base, alias_borrowed_count,
        alias_need_count, queue_high_water, alias_throttled_count, io_rate, queue_length, wait_ms, response_ms,
        waiting_devices, css_delay_ms, cu_busy_delay_ms, open_exchanges, path_taken_rate, utc_offset_s
    FROM lcu_interval
    WHERE alias_io_count IS NOT NULL OR alias_denied_ratio IS NOT NULL
    UNION ALL
    SELECT
        k.platform, k.system, k.interval_start, k.interval_s, k.lcu, k.alias_group, NULL, k.alias_io_count,
        k.alias_denied_count, k.alias_denied_ratio, k.alias_high_water, k.alias_high_water_per_base,
        k.alias_borrowed_count, k.alias_need_count, k.queue_high_water, NULL, NULL, NULL, NULL, NULL,
        NULL, k.css_delay_ms, k.cu_busy_delay_ms, k.open_exchanges, k.path_taken_rate, m.utc_offset_s
    FROM lcu_on_device_clock k
    JOIN measured_interval m ON {{ equal("platform, system, interval_start", "m", "k") }}
    LEFT JOIN lcu_interval l ON {{ equal("platform, system, interval_start, lcu", "l", "k") }}
    WHERE l.lcu IS NULL AND (k.alias_io_count IS NOT NULL OR k.alias_denied_ratio IS NOT NULL)
    UNION ALL
    SELECT
        x.platform, x.system, x.interval_start, x.interval_s, x.lcu, x.alias_group, NULL, x.alias_io_count,
        x.alias_denied_count, x.alias_denied_ratio, x.alias_high_water, x.alias_high_water_per_base,
        x.alias_borrowed_count, x.alias_need_count, x.queue_high_water, NULL, NULL, NULL, NULL, NULL,
        NULL, q.css_delay_ms, q.cu_busy_delay_ms, q.open_exchanges, q.path_taken_rate, x.utc_offset_s
    FROM lcu_extra x
    LEFT JOIN lcu_queue q ON {{ equal("platform, system, lcu, interval_start, interval_s", "q", "x") }}
    LEFT JOIN (SELECT DISTINCT platform, system, other_start, other_s FROM device_alignment) d
        ON {{ equal("platform, system", "d", "x") }} AND d.other_start = x.interval_start AND d.other_s = x.interval_s
    WHERE d.system IS NULL
)
SELECT
    *,
    coalesce('group ' || alias_group, 'LCU ' || lcu) AS pool,
    coalesce(hyperpav_aliases, CASE WHEN alias_denied_ratio > 0 THEN alias_high_water END) AS aliases
FROM used

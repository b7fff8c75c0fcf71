-- reach: a day
-- stored: in memory
-- title: Alias use, queues and paths of logical control units, mapped to the intervals of the device measurements
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system
-- column interval_start TIMESTAMP [UTC]: Start of the device interval, see device_alignment
-- column hyperpav_aliases BIGINT []: HyperPAV aliases configured; NULL if no source has them
-- columns: interval_s, lcu, alias_high_water, alias_borrowed_high_water, alias_high_water_per_base, alias_io_count
-- columns: alias_denied_count, alias_denied_ratio, alias_need_count, alias_borrowed_count, alias_used_count
-- columns: alias_home_empty_count, alias_loaned_count, alias_loaned_high_water, alias_not_lent_count, alias_group
-- columns: queue_high_water, css_delay_ms, delay_queue_length, contention_rate, open_exchanges, transfer_concurrency
-- columns: path_taken_rate, director_port_busy_ratio, cu_busy_ratio, cu_busy_delay_ms, transport_write_ratio
-- columns: ready_disabled_write_ratio
-- note: If several 78.3 intervals belong to one device interval, counts are added, the highest high-water mark counts, and means are weighted by the starts on all paths (rates by time). Counts of an interval longer than the device interval are split in proportion to time.
WITH shared AS (
    SELECT
        a.interval_start AS device_start,
        a.interval_s AS device_s,
        -- clocks that differ by a little do not change a count
        CASE WHEN sum(x.interval_s) OVER w > 1.02 * a.interval_s THEN a.interval_s / sum(x.interval_s) OVER w ELSE 1 END
            AS share_ratio,
        x.*
    FROM lcu_extra x
    JOIN device_alignment a ON {{ equal("platform, system", "a", "x") }}
        AND a.other_start = x.interval_start AND a.other_s = x.interval_s
    WINDOW w AS (PARTITION BY x.platform, x.system, x.lcu, a.interval_start)
),
used AS (
    SELECT
        platform, system, device_start, lcu,
        max(device_s) AS used_s,
        {{ each("sum(share_ratio * NAME)", "alias_io_count alias_denied_count alias_need_count
            alias_borrowed_count alias_used_count alias_home_empty_count alias_loaned_count alias_not_lent_count") }},
        CASE
            WHEN sum(alias_io_count) > 0 THEN sum(alias_denied_count) / sum(alias_io_count)
            ELSE avg(alias_denied_ratio)
        END AS alias_denied_ratio,
        {{ each("max(NAME)", "hyperpav_aliases alias_high_water alias_borrowed_high_water alias_high_water_per_base
            alias_loaned_high_water queue_high_water alias_group") }}
    FROM shared
    GROUP BY platform, system, device_start, lcu
),
started AS (
    SELECT
        a.interval_start AS device_start,
        a.interval_s AS device_s,
        coalesce(q.path_taken_rate, 1) * q.interval_s AS starts,
        q.*
    FROM lcu_queue q
    JOIN device_alignment a ON {{ equal("platform, system", "a", "q") }}
        AND a.other_start = q.interval_start AND a.other_s = q.interval_s
),
queued AS (
    SELECT
        platform, system, device_start, lcu,
        max(device_s) AS queued_s,
        {{ each(mean_of("NAME", "interval_s"), "contention_rate open_exchanges transfer_concurrency
            path_taken_rate") }},
        {{ each(mean_of("NAME", "starts"), "css_delay_ms delay_queue_length director_port_busy_ratio cu_busy_ratio
            cu_busy_delay_ms transport_write_ratio ready_disabled_write_ratio") }}
    FROM started
    GROUP BY platform, system, device_start, lcu
)
SELECT
    *,
    device_start AS interval_start,
    coalesce(used_s, queued_s) AS interval_s
FROM used
FULL JOIN queued USING (platform, system, device_start, lcu)

-- title: Boxes: all volumes of all systems together, interval by interval
-- grain: one row per interval_start, box
-- column interval_start TIMESTAMP [UTC]: Start of the box's interval, see box_clock
-- columns: interval_s
-- column box VARCHAR []: Box, see volume_box
-- columns: serial, control_unit_type, volumes, systems
-- column io_rate DOUBLE [per second]: Rate of all volumes = sum of io_rate
-- column io_count DOUBLE [events in the interval]: I/Os = sum of io_count
-- column wait_ms DOUBLE [milliseconds]: Mean wait = 1000 * sum of queue_length / sum of io_rate
-- column service_ms DOUBLE [milliseconds]: Mean service time = 1000 * sum of in_service / sum of io_rate
-- columns: response_ms
-- column in_service DOUBLE []: Mean number of I/Os in progress = sum of in_service
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the hosts = sum of queue_length
-- columns: device_busy, read_ratio
-- column missing_ratio DOUBLE [ratio 0..1]: Part of the I/Os in progress that volumes without a row here would have had by their own mean: volumes of systems that did I/O to the box within a day before and after
-- columns: utc_offset_s
-- note: Rows use the intervals of the system with the longest ones, see box_clock. io_count adds up to the I/Os of all volumes and systems. A steady load is steady in every row that names the same systems, see volume_on_box_clock.
-- note: If the UTC offset of a system's listing is unknown and its hours don't show it, its box is a row of its own (… by the clock of SYSA), see volume_home.
-- note: Volumes that no cache record names are in a box by their LCU, see volume_box.
WITH life AS (
    SELECT
        box, platform, system, volume,
        -- decimals add up exactly: what is added in the order of time and what is added as it comes is the same sum
        CAST(sum(in_service) / sum(intervals) AS DECIMAL(28, 12)) AS in_service,
        min(active_us) - 86400000000 AS from_us,
        max(active_until_us) + 86400000000 AS until_us
    FROM _volume_in_box
    GROUP BY box, platform, system, volume
),
change AS (
    SELECT box, from_us AS at_us, in_service AS more, 0 AS is_interval FROM life WHERE from_us IS NOT NULL
    UNION ALL
    SELECT box, until_us + 1, -in_service, 0 FROM life WHERE from_us IS NOT NULL
    UNION ALL
    SELECT box, unix_micros(interval_start), 0, 1 FROM _box_summed
),
expected AS (
    SELECT box, at_us, is_interval, sum(more) OVER (PARTITION BY box ORDER BY at_us) AS in_service FROM change
),
present AS (
    -- most volumes of a box were measured in the same intervals
    SELECT
        p.box, p.day_us, p.starts,
        greatest(l.from_us, p.day_us) AS from_us,
        least(l.until_us, p.day_us + 86400000000) AS until_us,
        sum(l.in_service) AS in_service
    FROM _volume_in_box p
    JOIN life l ON l.box = p.box AND l.platform = p.platform AND l.system = p.system AND l.volume = p.volume
    GROUP BY p.box, p.day_us, p.starts, greatest(l.from_us, p.day_us), least(l.until_us, p.day_us + 86400000000)
),
found AS (
    SELECT s.box, s.interval_start, sum(p.in_service) AS in_service
    FROM (SELECT DISTINCT box, interval_start, unix_micros(interval_start) AS start_us FROM _box_summed) s
    JOIN present p
        ON p.box = s.box AND s.start_us BETWEEN p.from_us AND p.until_us
        AND p.day_us = CAST(floor(s.start_us / 8.64e10) AS BIGINT) * 86400000000
        AND p.starts LIKE '%|' || CAST(s.start_us AS STRING) || '|%'
    GROUP BY s.box, s.interval_start
),
lacking AS (
    SELECT f.box, f.interval_start, CAST(at_least_0(max(e.in_service) - max(f.in_service)) AS DOUBLE) AS in_service
    FROM found f
    JOIN expected e ON e.box = f.box AND e.at_us = unix_micros(f.interval_start) AND e.is_interval = 1
    GROUP BY f.box, f.interval_start
),
named AS (
    SELECT box, max(serial) AS serial, max(control_unit_type) AS control_unit_type FROM box_subsystem GROUP BY box
)
SELECT
    s.*, n.serial, n.control_unit_type,
    1e3 * queue_length / nullif(wait_weight, 0) AS wait_ms,
    1e3 * s.in_service / io_rate AS service_ms,
    1e3 * queue_length / nullif(wait_weight, 0) + 1e3 * s.in_service / io_rate AS response_ms,
    -- the difference of two sums, each in any order: what is left of none missing is noise
    round(l.in_service / nullif(l.in_service + s.in_service, 0), 9) AS missing_ratio
FROM _box_summed s
LEFT JOIN named n ON n.box = s.box
LEFT JOIN lacking l ON l.box = s.box AND l.interval_start = s.interval_start

-- question: nvs_delay
-- title: Subsystems with writes delayed for lack of NVS
-- grain: one row per box, subsystem
-- parameter $delayed_ratio DOUBLE [ratio]: Of the writes of an interval
-- column delayed DOUBLE [writes]: Writes delayed in the subsystem
-- column peak_ratio DOUBLE [ratio 0..1]: Delayed writes over writes, worst interval
-- column peak_ms DOUBLE [milliseconds]: Delay per write, worst interval
-- column peak_low_ms DOUBLE [milliseconds]: Low bound of it
-- column peak_high_ms DOUBLE [milliseconds]: High bound of it
-- column is_steady BOOLEAN []: Writes were delayed in intervals on end while the box destaged all it could; NULL where that isn't told
WITH verdict AS (
    SELECT
        box,
        CASE WHEN count(destage_rate) > 0 THEN bool_or(coalesce(steady_ratio >= $delayed_ratio, FALSE)) END AS is_steady,
        bool_or(coalesce(at_ceiling, FALSE)) AS at_ceiling,
        max(as_busy_free) AS as_busy_free
    FROM box_nvs_interval
    WHERE nvs_delay_ratio >= $delayed_ratio
    GROUP BY box
),
seen AS (
    SELECT
        coalesce(b.box, n.subsystem) AS box, b.serial, b.control_unit_type, n.*,
        n.nvs_delay_count * n.delay_ms_per_delayed_write / 1000 AS lost_s
    FROM nvs_delay n
    LEFT /* box_subsystem b of n then */
),
bad AS (
    SELECT box, local_start, max(local_end) AS local_end, sum(nvs_delay_count) AS lost
    FROM seen
    WHERE nvs_delay_ratio >= $delayed_ratio
    GROUP BY box, local_start
),
worst AS (/* worst run of bad by box */),
whole AS (
    SELECT
        box, subsystem,
        max(serial) AS serial,
        max(control_unit_type) AS control_unit_type,
        sum(nvs_delay_count) AS delayed,
        max(nvs_delay_ratio) AS peak_ratio,
        /* worst delay_ms_per_write of delayed writes */ AS peak_ms,
        /* worst delay_ms_per_write_low of delayed writes */ AS peak_low_ms,
        /* worst delay_ms_per_write_high of delayed writes */ AS peak_high_ms,
        max(CASE WHEN nvs_delay_ratio > 0 THEN disc_share_ratio END) AS disc_share_ratio,
        min(CASE WHEN nvs_delay_count > 0 THEN coverage_ratio END) AS coverage_ratio,
        max(CASE WHEN nvs_delay_count > 0 AND delay_ms_per_write IS NULL THEN method END) AS untold,
        sum(lost_s) AS lost_s
    FROM seen
    GROUP BY box, subsystem
)
SELECT
    s.box, s.serial, s.control_unit_type, s.subsystem, s.delayed, s.peak_ratio, s.peak_ms, s.peak_low_ms,
    s.peak_high_ms, s.disc_share_ratio, s.coverage_ratio, s.untold, s.lost_s, v.is_steady, v.at_ceiling, v.as_busy_free,
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end, w.bad_days
FROM whole s
JOIN worst w ON w.box = s.box
LEFT JOIN verdict v ON v.box = s.box
WHERE s.peak_ratio >= $delayed_ratio
ORDER BY s.box, s.delayed DESC, s.subsystem

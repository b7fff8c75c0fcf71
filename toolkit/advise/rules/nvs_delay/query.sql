-- question: nvs_delay
-- title: Subsystems with writes delayed for lack of NVS
-- grain: one row per box, subsystem
-- parameter $delayed_ratio DOUBLE [ratio]: Of the writes of an interval
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column subsystem VARCHAR []: A subsystem of the box with delayed writes
-- column delayed DOUBLE [writes]: Writes delayed in the subsystem
-- column peak_ratio DOUBLE [ratio 0..1]: Delayed writes over writes, worst interval
-- column peak_ms DOUBLE [milliseconds]: Delay per write, worst interval
-- column peak_low_ms DOUBLE [milliseconds]: Low bound of it
-- column peak_high_ms DOUBLE [milliseconds]: High bound of it
-- column disc_share_ratio DOUBLE [ratio 0..1]: Share of the delay in disconnect time, worst interval
-- column coverage_ratio DOUBLE [ratio]: I/O rate of the systems read over the control unit's, the least of intervals with delayed writes
-- column untold VARCHAR []: Why the delay isn't told, as method of the view nvs_delay has it; NULL where it is
-- column lost_s DOUBLE [s]: Delay, summed over writes
-- column is_steady BOOLEAN []: Writes were delayed in intervals on end while the box destaged all it could; NULL where that isn't told
-- column at_ceiling BOOLEAN []: Writes were delayed while the box destaged as much as ever, which may be all it can; NULL where that isn't told
-- column as_busy_free BIGINT []: Intervals as busy in which no write waited, see box_nvs_interval
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
-- column last_end TIMESTAMP [local time]: End of the last of them
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
    w.window_start, w.window_end, w.bad_intervals, w.runs, w.last_end
FROM whole s
JOIN worst w ON w.box = s.box
LEFT JOIN verdict v ON v.box = s.box
WHERE s.peak_ratio >= $delayed_ratio
ORDER BY s.box, s.delayed DESC, s.subsystem

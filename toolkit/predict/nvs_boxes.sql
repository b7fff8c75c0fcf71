-- title: Writes of boxes and their NVS, the worst interval of each box first
-- grain: one row per box, interval
-- parameter $delayed_ratio DOUBLE [ratio]: Of the writes of an interval, delayed at the destage ceiling: a steady overload
-- parameter $refused_ratio DOUBLE [ratio]: Of the writes of an interval, delayed: NVS may be out of use
-- parameter $refused_times DOUBLE [times]: The lowest write rate of such intervals, at the highest: it is
-- column is_refused BOOLEAN []: NVS of the box is out of use, see the macro
-- column is_steady BOOLEAN []: Steady overload
-- column run_s DOUBLE [s]: Length of the run of intervals with delayed writes around it; without one that of the interval
WITH {{ nvs_runs() }}
SELECT
    b.box, b.interval_start, b.utc_offset_s, b.interval_s, b.nvs_delay_count, b.write_count, b.destage_rate,
    b.destage_rate_max, b.as_busy_free, b.nvs_bytes, b.lost_s, b.lost_low_s, b.lost_high_s, b.coverage_ratio,
    b.unknown_reason,
    {{ nvs_out_of_use("b.") }} AS is_refused,
    coalesce(b.steady_ratio >= $delayed_ratio, FALSE) AS is_steady,
    coalesce(u.run_s, b.interval_s) AS run_s
FROM box_nvs_interval b
LEFT JOIN run u ON u.box = b.box AND u.interval_start = b.interval_start
WHERE b.write_count > 0 AND b.interval_s > 0
ORDER BY
    b.box, is_steady DESC, coalesce(b.nvs_delay_count, 0) DESC, b.write_count / b.interval_s DESC, b.interval_start

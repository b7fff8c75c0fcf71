-- title: Service classes
-- about: Whose goals suffered, and what for, over the whole span (type 72.3). Index is the worst of all intervals, above 1 the goal was missed; shares are of samples. Report classes are left out, their work is in the service classes.
-- missing: The lake has no workload activity (type 72.3).
-- columns: service_class
-- column period: Period
-- column workload: Workload
-- columns: system
-- column importance: Importance
-- column goal: Goal
-- column index_peak .2: Performance index, worst
-- columns: peak
-- column transaction_rate .2: Transactions per s
-- column response_s .3: Response s
-- column disk_io_rate .1: Disk I/Os per s
-- column disk_response_ms .3: Disk response ms
-- column disk_wait_ms .3: of it IOSQ ms
-- column disk_disc_ms .3: of it disc ms
-- column disk_delay_percent .1: Delayed for disk %
-- column cpu_delay_percent .1: Delayed for CPU %
SELECT service_class, period, max(workload) AS workload, system, min(importance) AS importance, max(goal) AS goal,
       max(performance_index) AS index_peak, max_by(local_start, peak_order(performance_index, local_start)) AS peak,
       {{ each("sum(interval_s * NAME) / sum(interval_s)", "transaction_rate disk_io_rate") }},
       {{ mean_of("response_s", "interval_s * transaction_rate") }} AS response_s,
       {{ each(mean_of("NAME", "interval_s * disk_io_rate"), "disk_response_ms disk_wait_ms disk_disc_ms") }},
       {{ each("100 * " ~ mean_of("NAME_delay_ratio", "interval_s"), "disk cpu", "NAME_delay_percent") }}
FROM service_class_interval
WHERE interval_s > 0 AND NOT coalesce(is_report_class, FALSE)
GROUP BY platform, system, service_class, period
ORDER BY index_peak DESC NULLS LAST, disk_delay_percent DESC NULLS LAST, system, service_class, period

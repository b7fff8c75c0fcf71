-- name: service_classes
-- title: Service classes
-- about: Whose goals suffered, and what for, over the whole span (type 72.3). Index is the worst of all intervals, above 1 the goal was missed; shares are of samples. Report classes are left out, their work is in the service classes.
-- missing: The lake has no workload activity (type 72.3).
-- zvm: none
-- column service_class: Service class
-- column period: Period
-- column workload: Workload
-- column system: System
-- column importance: Importance
-- column goal: Goal
-- column index_peak .2: Performance index, worst
-- column peak: Worst, local time
-- column transaction_rate .2: Transactions per s
-- column response_s .3: Response s
-- column disk_io_rate .1: Disk I/Os per s
-- column disk_response_ms .3: Disk response ms
-- column disk_wait_ms .3: of it IOSQ ms
-- column disk_disc_ms .3: of it disc ms
-- column disk_delay_percent .1: Delayed for disk %
-- column cpu_delay_percent .1: Delayed for CPU %
WITH clocked AS (
    SELECT *, local_start AS t, interval_s * disk_io_rate AS ios, interval_s * transaction_rate AS transactions
    FROM service_class_interval
    WHERE interval_s > 0 AND NOT coalesce(is_report_class, FALSE)
)
SELECT service_class, period, max(workload) AS workload, system, min(importance) AS importance, max(goal) AS goal,
       max(performance_index) AS index_peak, max_by(t, peak_order(performance_index, t)) AS peak,
       sum(transactions) / sum(interval_s) AS transaction_rate,
       sum(transactions * response_s) / nullif(sum(CASE WHEN response_s IS NOT NULL THEN transactions END), 0) AS response_s,
       sum(ios) / sum(interval_s) AS disk_io_rate,
       sum(ios * disk_response_ms) / nullif(sum(CASE WHEN disk_response_ms IS NOT NULL THEN ios END), 0)
           AS disk_response_ms,
       sum(ios * disk_wait_ms) / nullif(sum(CASE WHEN disk_wait_ms IS NOT NULL THEN ios END), 0) AS disk_wait_ms,
       sum(ios * disk_disc_ms) / nullif(sum(CASE WHEN disk_disc_ms IS NOT NULL THEN ios END), 0) AS disk_disc_ms,
       100 * sum(disk_delay_ratio * interval_s)
           / nullif(sum(CASE WHEN disk_delay_ratio IS NOT NULL THEN interval_s END), 0) AS disk_delay_percent,
       100 * sum(cpu_delay_ratio * interval_s)
           / nullif(sum(CASE WHEN cpu_delay_ratio IS NOT NULL THEN interval_s END), 0) AS cpu_delay_percent
FROM clocked
GROUP BY platform, system, service_class, period
ORDER BY index_peak DESC NULLS LAST, disk_delay_percent DESC NULLS LAST, system, service_class, period

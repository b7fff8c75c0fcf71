-- title: Service classes that miss their goals for CPU, and hardly wait for disks
-- grain: one row per platform, system, service_class, period
-- column missed_by DOUBLE []: Performance index, mean of the bad intervals
-- column missed_s DOUBLE [s]: Length of the bad intervals, all together
WITH bad AS (
    SELECT
        platform, system, service_class, period, importance, performance_index, disk_delay_ratio, cpu_delay_ratio, interval_s,
        local_start, local_end, (performance_index - 1) * interval_s AS lost
    FROM service_class_interval
    WHERE NOT coalesce(is_report_class, FALSE) AND performance_index >= $index
        AND cpu_delay_ratio >= $cpu_ratio AND cpu_delay_ratio >= $cpu_times * disk_delay_ratio
),
{% call incident("bad", "platform, system, service_class, period") %}
    min(importance) AS importance,
    {{ mean_of("performance_index", "interval_s") }} AS missed_by,
    {{ each(mean_of("NAME", "interval_s"), "disk_delay_ratio cpu_delay_ratio") }},
    sum(interval_s) AS missed_s
{% endcall %}
ORDER BY a.platform, a.system, coalesce(a.importance, 9), a.missed_by DESC, a.service_class, a.period

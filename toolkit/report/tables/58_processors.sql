-- title: Processors
-- about: How busy the systems' own processors are, over the whole span (type 70.1). Where they are full, work waits for them and not for disk, and a quicker box wins less.
-- missing: The lake has no processor measurements (type 70.1).
-- columns: system
-- column cpu_type: Type
-- column processors: Processors, mean
-- column busy_percent .1: Busy %, mean
-- columns: busy_peak_percent, peak
-- column parked_percent .1: Parked %
-- column interrupt_rate .1: I/O interrupts per s
-- column polled_percent .1: of them polled %
WITH together AS (
    SELECT platform, system, cpu_type, local_start, max(interval_s) AS interval_s, count(busy_ratio) AS processors,
           avg(busy_ratio) AS busy_ratio, avg(parked_ratio) AS parked_ratio, sum(interrupt_rate) AS interrupt_rate,
           sum(interrupt_rate * polled_ratio) AS polled_rate
    FROM cpu_interval
    WHERE interval_s > 0
    GROUP BY platform, system, cpu_type, local_start
)
SELECT system, cpu_type, avg(processors) AS processors,
       100 * {{ mean_of("busy_ratio", "interval_s") }} AS busy_percent,
       100 * max(busy_ratio) AS busy_peak_percent, max_by(local_start, peak_order(busy_ratio, local_start)) AS peak,
       100 * {{ mean_of("parked_ratio", "interval_s") }} AS parked_percent,
       {{ mean_of("interrupt_rate", "interval_s") }} AS interrupt_rate,
       100 * sum(polled_rate * interval_s) / nullif(sum(interrupt_rate * interval_s), 0) AS polled_percent
FROM together
GROUP BY platform, system, cpu_type
ORDER BY busy_peak_percent DESC NULLS LAST, system, cpu_type

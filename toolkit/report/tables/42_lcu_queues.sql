-- title: Delays before the device
-- about: What I/Os of an LCU met on their way over the whole span (type 78.3 or listings): part of pend and of the wait. Busy is the share of tries that met one; zHPF is the share of writes in transport mode.
-- missing: The lake has no I/O queuing statistics (type 78.3).
-- columns: lcu, system
-- column path_taken_rate .1: Paths taken per s
-- column css_delay_ms .3: CSS delay ms
-- column css_delay_peak_ms .3: CSS delay ms, worst
-- columns: peak
-- column delay_queue_length .2: Delay queue
-- column contention_rate .2: Queued per s
-- column open_exchanges .2: Open exchanges
-- column transfer_concurrency .2: Transfers at once
-- columns: director_port_busy_percent, cu_busy_percent, cu_busy_delay_ms, zhpf_percent
-- column throttled .0: I/Os throttled
{% set taken = "path_taken_rate * interval_s" -%}
SELECT lcu, system, max(css_delay_ms) AS css_delay_peak_ms,
       CASE WHEN max(css_delay_ms) > 0 THEN max_by(local_start, peak_order(css_delay_ms, local_start)) END AS peak,
       {{ each(mean_of("NAME", "interval_s"), "path_taken_rate delay_queue_length contention_rate open_exchanges
           transfer_concurrency") }},
       {{ each("100 * " ~ mean_of("NAME_busy_ratio", taken), "director_port cu", "NAME_busy_percent") }},
       {{ each(mean_of("NAME", taken), "css_delay_ms cu_busy_delay_ms") }},
       100 * {{ mean_of("transport_write_ratio", taken) }} AS zhpf_percent,
       CAST(sum(alias_throttled_count) AS DOUBLE) AS throttled
FROM lcu_interval
WHERE interval_s > 0 AND (path_taken_rate IS NOT NULL OR contention_rate IS NOT NULL OR alias_throttled_count > 0)
GROUP BY platform, lcu, system
ORDER BY css_delay_peak_ms DESC NULLS LAST, cu_busy_percent DESC NULLS LAST, lcu, system

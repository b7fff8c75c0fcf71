-- title: Channel paths of the LCUs
-- about: Each path from a system to an LCU over the whole span (type 78.3 or listings), the 2,000 with the longest command response. One path that answers later than its sisters is a link, a port or a switch.
-- missing: The lake has no I/O queuing statistics (type 78.3).
-- columns: lcu, channel_path, system
-- column taken_rate .1: Taken per s
-- column cmr_ms .3: CMR ms
-- column cmr_peak_ms .3: CMR ms, worst
-- columns: peak, director_port_busy_percent, cu_busy_percent, cu_busy_delay_ms
-- column switch_busy .0: Times the switch was busy
-- columns: zhpf_percent
{% set taken = "taken_rate * interval_s" -%}
SELECT lcu, channel_path, system, {{ mean_of("taken_rate", "interval_s") }} AS taken_rate,
       {{ each(mean_of("NAME", taken), "cmr_ms cu_busy_delay_ms") }}, max(cmr_ms) AS cmr_peak_ms,
       CASE WHEN max(cmr_ms) > 0 THEN max_by(local_start, peak_order(cmr_ms, local_start)) END AS peak,
       {{ each("100 * " ~ mean_of("NAME_busy_ratio", taken), "director_port cu", "NAME_busy_percent") }},
       CAST(sum(switch_busy_count) AS DOUBLE) AS switch_busy,
       100 * {{ mean_of("transport_write_ratio", taken) }} AS zhpf_percent
FROM lcu_path_interval
WHERE taken_rate > 0 AND interval_s > 0
GROUP BY platform, system, lcu, channel_path
ORDER BY cmr_ms DESC NULLS LAST, cu_busy_percent DESC NULLS LAST, lcu, channel_path, system
LIMIT 2000

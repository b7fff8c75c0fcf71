-- title: Channel paths
-- about: As each system saw them over the whole span; MB/s over all partitions. Busy is the path's own, or the internal bus's where that is higher.
-- missing: The lake has no channel measurements (type 73).
-- zvm: The lake has no channel measurements: ingest {ZVM_CHANNELS}.
-- columns: channel_path, system, type
-- column speed_gbit .0: Gb/s
-- column busy_percent .1: Busy, mean %
-- column busy_peak_percent .1: Busy, worst %
-- columns: peak
-- column read_mb .1: Read MB/s, mean
-- column write_mb .1: Write MB/s, mean
-- columns: mb_peak, operation_rate
-- column open_exchanges .2: Open exchanges, mean
{% set used = "CASE WHEN busy_ratio IS NOT NULL THEN greatest(busy_ratio, bus_busy_ratio) END" -%}
SELECT system, channel_path, max(type) AS type, max(speed_bits_rate) / 1e9 AS speed_gbit,
       100 * {{ mean_of(used, "interval_s") }} AS busy_percent,
       100 * max({{ used }}) AS busy_peak_percent, max_by(local_start, peak_order({{ used }}, local_start)) AS peak,
       {{ each(mean_of("NAME_bytes_rate", "interval_s") ~ " / 1e6", "read write", "NAME_mb") }},
       max(CASE WHEN type = 'IQD' THEN write_bytes_rate ELSE read_bytes_rate + write_bytes_rate END) / 1e6 AS mb_peak,
       {{ each(mean_of("NAME", "interval_s"), "operation_rate open_exchanges") }}
FROM channel_interval
GROUP BY platform, system, channel_path
ORDER BY busy_peak_percent DESC NULLS LAST, system, channel_path

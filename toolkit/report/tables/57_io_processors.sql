-- title: I/O processors
-- about: What starts and ends I/Os (SAPs), over the whole span (type 78.3 or listings). A retry is a start that met a busy path, director port, control unit or device.
-- missing: The lake has no statistics of I/O processors (type 78.3).
-- columns: system
-- column iop: IOP
-- column busy_percent .1: Busy %
-- columns: busy_peak_percent, peak
-- column start_rate .1: Starts per s
-- column interrupt_rate .1: Interrupts per s
-- column queue_length .2: Queued, mean
-- column retried_percent .1: Retried %
-- column retried_path_percent .1: by path %
-- column retried_director_percent .1: by director port %
-- column retried_cu_percent .1: by control unit %
-- column retried_device_percent .1: by device %
SELECT system, iop,
       100 * {{ mean_of("busy_ratio", "interval_s") }} AS busy_percent,
       100 * max(busy_ratio) AS busy_peak_percent, max_by(local_start, peak_order(busy_ratio, local_start)) AS peak,
       {{ each(mean_of("NAME", "interval_s"), "start_rate interrupt_rate queue_length") }},
       {{ each("100 * " ~ mean_of("NAME_ratio", "interval_s * start_rate"),
           "retried retried_path retried_director retried_cu retried_device", "NAME_percent") }}
FROM iop_interval
WHERE interval_s > 0
GROUP BY platform, system, iop
ORDER BY busy_peak_percent DESC NULLS LAST, system, iop

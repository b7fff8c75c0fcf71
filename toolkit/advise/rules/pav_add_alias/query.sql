-- title: Volumes without HyperPAV that wait, in their peak interval and the worst of each hour of the day
-- grain: one row per platform, system, volume, interval
-- column mean_queue DOUBLE [I/Os]: Mean queue over the span, of the intervals in which it waits: never above the longest
-- column mean_in_service DOUBLE [I/Os]: Mean I/Os in service over the span: each holds an exposure, those that wait need none for long
-- column is_peak BOOLEAN []: The interval with the volume's longest queue
-- column is_hour BOOLEAN []: The worst interval of its hour of the day
-- note: Intervals of closed work count only if there are no others, as closed_load reports them. Unusable intervals (view unfit_interval) are ignored.
WITH {{ waiting_volumes() }},
total AS (
    SELECT
        platform, system, volume,
        sum(queue_length * interval_s) AS lost_s,
        sum(CASE WHEN is_bad THEN queue_length * interval_s ELSE 0 END) / sum(interval_s) AS mean_queue,
        sum(io_rate * service_ms * interval_s) / sum(interval_s) / 1000 AS mean_in_service,
        sum(io_rate * wait_ms * interval_s) / sum(io_rate * (wait_ms + service_ms) * interval_s) AS wait_share_ratio
    FROM measured
    WHERE is_fit
    GROUP BY platform, system, volume
),
{% call incident("bad", "platform, system, volume", is_select=true) %}
    SELECT
        c.platform, c.system, c.volume, c.verdict, n.mean_queue, n.mean_in_service, n.wait_share_ratio, n.lost_s,
        s.interval_start, s.is_peak, s.is_hour, s.is_closed, s.queue_length
    FROM candidate c
    JOIN total n ON n.platform = c.platform AND n.system = c.system AND n.volume = c.volume
    JOIN shown s ON s.platform = c.platform AND s.system = c.system AND s.volume = c.volume
{% endcall %}
ORDER BY a.lost_s DESC, a.platform, a.system, a.volume, a.interval_start

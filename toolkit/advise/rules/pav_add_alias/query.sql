-- question: pav_add_alias
-- title: Volumes without HyperPAV that wait, in their peak interval and the worst of each hour of the day
-- grain: one row per platform, system, volume, interval
-- column mean_rate DOUBLE [per second]: Mean rate over the span
-- column mean_wait_ms DOUBLE [milliseconds]: Mean IOSQ over the span, weighted by rate
-- column mean_response_ms DOUBLE [milliseconds]: Mean response over the span, weighted by rate
-- column is_peak BOOLEAN []: The interval with the volume's longest queue
-- column is_hour BOOLEAN []: The worst interval of its hour of the day
-- note: Intervals of closed work count only if there are no others, as closed_load reports them. Unusable intervals (view unfit_interval) are ignored.
WITH {{ waiting_volumes() }},
total AS (
    SELECT
        platform, system, volume,
        sum(CASE WHEN is_fit THEN queue_length * interval_s END) AS lost_s
    FROM measured
    GROUP BY platform, system, volume
),
{% call incident("bad", "platform, system, volume", is_select=true) %}
    SELECT
        c.platform, c.system, c.volume, c.verdict, c.io_rate AS mean_rate, c.wait_ms AS mean_wait_ms, c.response_ms
        AS mean_response_ms, c.wait_share_ratio, n.lost_s, s.interval_start, s.is_peak, s.is_hour, s.is_closed,
        s.queue_length
    FROM candidate c
    JOIN total n ON n.platform = c.platform AND n.system = c.system AND n.volume = c.volume
    JOIN shown s ON s.platform = c.platform AND s.system = c.system AND s.volume = c.volume
{% endcall %}
ORDER BY a.lost_s DESC, a.platform, a.system, a.volume, a.interval_start

-- question: queue_no_alias
-- title: Devices that queue I/Os for a cause other than missing aliases
-- grain: one row per platform, system, volume
-- column takes_aliases BOOLEAN []: Whether a device of that type can have aliases
-- column delayed_rate DOUBLE [per second]: I/Os that SET THROTTLE delayed then; NULL where nothing shows it
WITH held AS (
    SELECT
        platform, system, volume, device, device_type, interval_start, interval_s, local_start, local_end, io_rate,
        queue_length, wait_ms, response_ms, service_ms, throttle_delay_rate,
        {{ takes_aliases("device_type") }} AS takes_aliases,
        coalesce(throttle_delay_rate > 0, FALSE) OR NOT {{ takes_aliases("device_type") }} AS is_held
    FROM volume_interval
    WHERE queue_length > 0
),
bad AS (
    SELECT *, queue_length * interval_s AS lost
    FROM held
    WHERE is_held AND queue_length >= $queue_length AND wait_ms >= $wait_share * response_ms
),
longest AS (
    SELECT
        *,
        row_number() OVER (PARTITION BY platform, system, volume ORDER BY queue_length DESC, interval_start) AS place
    FROM bad
),
elsewhen AS (
    SELECT platform, system, volume, max(queue_length) AS queue_else
    FROM held
    WHERE NOT is_held
    GROUP BY platform, system, volume
),
{% call incident("bad", "platform, system, volume") %}
    SELECT
        l.platform, l.system, l.volume, l.device, l.device_type, l.takes_aliases, l.io_rate, l.queue_length, l.wait_ms,
        l.service_ms, l.throttle_delay_rate AS delayed_rate, e.queue_else
    FROM longest l
    LEFT JOIN elsewhen e ON e.platform = l.platform AND e.system = l.system AND e.volume = l.volume
    WHERE l.place = 1
{% endcall %}
ORDER BY w.lost DESC, a.system, a.volume

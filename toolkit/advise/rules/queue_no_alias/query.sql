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
{% call incident("bad", "platform, system, volume") %}
    {{ each("max(NAME)", "device device_type") }},
    bool_and(takes_aliases) AS takes_aliases,
    max(queue_length) AS queue_length,
    {{ each("max_by(NAME, peak_order(queue_length, interval_start))", "io_rate wait_ms service_ms") }},
    max_by(throttle_delay_rate, peak_order(queue_length, interval_start)) AS delayed_rate
{% endcall %}
ORDER BY w.lost DESC, a.system, a.volume

-- title: Volumes that wait while aliases of their own do no I/O
-- grain: one row per platform, system, volume
-- column aliases DOUBLE []: Aliases of its own then, most
-- column queue_length DOUBLE [I/Os]: Mean number of I/Os waiting in the host, worst interval
-- column longest_s DOUBLE [s]: Most bad seconds in a run
WITH bad AS (
    SELECT
        v.platform, v.system, v.volume, v.device, v.local_start, v.local_end, v.io_rate, v.wait_ms, v.response_ms,
        v.queue_length, v.idle_aliases, v.exposures, v.queue_length * v.interval_s AS lost
    FROM volume_interval v
    JOIN pav_candidate c ON c.platform = v.platform AND c.system = v.system AND c.volume = v.volume
    WHERE c.verdict = 'will_not_help' AND c.unused_aliases IS NOT NULL AND v.idle_aliases > 0
        AND v.queue_length >= $queue_length AND v.wait_ms >= $wait_share * v.response_ms
),
{% call incident("bad", "platform, system, volume") %}
    max(device) AS device,
    max(idle_aliases) AS unused_aliases,
    max(exposures) - 1 AS aliases,
    max(wait_ms) AS peak_wait_ms,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "wait_ms response_ms") }},
    max(queue_length) AS queue_length
{% endcall %}
ORDER BY w.lost DESC, a.volume, a.system

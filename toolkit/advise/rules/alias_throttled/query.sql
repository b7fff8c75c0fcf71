-- title: LCUs whose I/Os wait in the host because z/OS throttles the use of aliases, on purpose
-- grain: one row per platform, system, lcu
-- column throttled DOUBLE [I/Os]: I/Os delayed by alias throttling, bad intervals
-- column ios DOUBLE [I/Os]: All I/Os of these intervals
-- column waiting VARCHAR []: Volumes that wait then and at no other time, separated by |
WITH bad AS (
    SELECT *, queue_length * interval_s AS lost
    FROM throttled_interval
    WHERE explains_wait AND queue_length >= $queue_length AND wait_ms >= $wait_share * response_ms
),
{{ waiting_within("bad") }},
{% call incident("bad", "platform, system, lcu", also=["waiting"]) %}
    CAST(sum(throttled_count) AS DOUBLE) AS throttled,
    sum(io_rate * interval_s) AS ios,
    max(queue_length) AS peak_queue,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "wait_ms response_ms") }}
{% endcall %}
ORDER BY w.lost DESC, a.platform, a.system, a.lcu

-- question: health
-- title: I/O time above the limits of rules about volumes, by hour, box and system
-- grain: one row per box, system, t, reason
-- parameter $queue_length DOUBLE [I/Os]: Queued at once
-- parameter $wait_share DOUBLE [ratio]: IOSQ of the response time
-- parameter $hit_ratio DOUBLE [ratio]: Read hits over reads
-- parameter $disc_share DOUBLE [ratio]: Disconnect of the response time
-- parameter $read_rate DOUBLE [per s]: Reads
-- parameter $delayed_ratio DOUBLE [ratio]: Writes delayed for lack of NVS
-- parameter $busy_ms DOUBLE [milliseconds]: Device busy delay per I/O
-- parameter $busy_share DOUBLE [ratio]: Device busy delay of the service time
-- column box VARCHAR []: Box, as in volume_box
-- column system VARCHAR []: System that measured
-- column t TIMESTAMP []: Start of the hour, local time
-- column reason VARCHAR []: The limits: wait (IOSQ, pav_add_alias), miss (disconnect, low_hit_ratio), nvs (disconnect, nvs_delay), busy (device busy, reserve_contention); NULL: all I/O
-- column ios DOUBLE []: I/Os of all volumes
-- column lost_s DOUBLE [s]: Response time without conn, summed over all I/Os; of a reason that part of it in the intervals above its limits
-- column subjects BIGINT []: Volumes with such an interval
-- column worst VARCHAR []: The one that lost most by it
-- note: The limits alone: a rule also looks at how long it lasts, and for another cause.
WITH measured AS (
    SELECT
        coalesce(b.box, v.system) AS box, v.system, v.volume, CAST(date_trunc('hour', v.local_start) AS TIMESTAMP) AS t,
        v.io_rate * v.interval_s AS ios,
        v.io_rate * v.interval_s / 1000 * (v.response_ms - v.conn_ms) AS lost_s,
        CASE
            WHEN v.queue_length >= $queue_length AND v.wait_ms >= $wait_share * v.response_ms
            THEN v.io_rate * v.interval_s * v.wait_ms / 1000
        END AS wait_s,
        CASE
            WHEN v.read_hit_ratio < $hit_ratio AND v.io_rate * v.read_ratio >= $read_rate
                AND v.disc_ms >= $disc_share * v.response_ms
            THEN v.io_rate * v.interval_s * v.disc_ms / 1000
        END AS miss_s,
        CASE
            WHEN v.nvs_delay_rate > 0 AND v.nvs_delay_rate >= $delayed_ratio * v.io_rate * (1 - v.read_ratio)
            THEN v.io_rate * v.interval_s * v.disc_ms / 1000
        END AS nvs_s,
        CASE
            WHEN v.device_busy_ms >= $busy_ms AND v.device_busy_ms >= $busy_share * v.service_ms
            THEN v.io_rate * v.interval_s * v.device_busy_ms / 1000
        END AS busy_s
    FROM volume_interval v
    LEFT {{ join_volume_box_then("b", "v") }}
    WHERE v.io_rate > 0
),
-- volumes within all limits are one group: a group for each takes longer than all the rest
summed AS (
    SELECT
        box, system, t, CASE WHEN coalesce(wait_s, miss_s, nvs_s, busy_s) IS NOT NULL THEN volume END AS volume,
        sum(ios) AS ios, sum(lost_s) AS lost_s, sum(wait_s) AS wait_s, sum(miss_s) AS miss_s, sum(nvs_s) AS nvs_s,
        sum(busy_s) AS busy_s
    FROM measured
    GROUP BY box, system, t, CASE WHEN coalesce(wait_s, miss_s, nvs_s, busy_s) IS NOT NULL THEN volume END
)
SELECT
    box, system, t, CAST(NULL AS STRING) AS reason, sum(ios) AS ios, sum(lost_s) AS lost_s,
    CAST(NULL AS BIGINT) AS subjects, CAST(NULL AS STRING) AS worst
FROM summed
GROUP BY box, system, t
{% for reason in ["wait", "miss", "nvs", "busy"] -%}
UNION ALL
SELECT box, system, t, '{{ reason }}', NULL, sum({{ reason }}_s), count(*), max_by(volume, {{ reason }}_s)
FROM summed
WHERE {{ reason }}_s IS NOT NULL
GROUP BY box, system, t
{% endfor -%}
ORDER BY box, system, t, reason

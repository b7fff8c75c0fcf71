-- title: I/O time above the limits of rules about volumes, by hour, box and system
-- grain: one row per box, system, t, reason
-- parameter $queue_length DOUBLE [I/Os]: Queued at once
-- parameter $wait_share DOUBLE [ratio]: IOSQ of the response time
-- parameter $hit_ratio DOUBLE [ratio]: Read hits over reads
-- parameter $disc_share DOUBLE [ratio]: Disconnect of the service time
-- parameter $read_rate DOUBLE [per s]: Reads
-- parameter $delayed_ratio DOUBLE [ratio]: Writes delayed for lack of NVS
-- parameter $busy_ms DOUBLE [milliseconds]: Device busy delay per I/O
-- parameter $busy_share DOUBLE [ratio]: Device busy delay of the service time
-- columns: box, system, t
-- column reason VARCHAR []: The limits: wait (IOSQ, pav_add_alias), miss (disconnect, low_hit_ratio), nvs (disconnect, nvs_delay), busy (device busy, reserve_contention); NULL: all I/O
-- column ios DOUBLE []: I/Os of all volumes
-- column lost_s DOUBLE [s]: Response time without conn, summed over all I/Os; of a reason that part of it in the intervals above its limits
-- column subjects BIGINT []: Volumes with such an interval
-- column worst VARCHAR []: The one that lost most by it
-- note: The limits alone: a rule also looks at how long it lasts, and for another cause.
WITH above AS (
    SELECT platform, system, interval_start, interval_s, volume, wait_s, miss_s, nvs_s, busy_s, local_start
    FROM _volume_above
    WHERE {{ as_shipped() }}
    UNION ALL
    SELECT * FROM (
        {{ above_limits(
            "local_start", "$queue_length", "$wait_share", "$hit_ratio", "$read_rate", "$disc_share", "$delayed_ratio", "$busy_ms",
            "$busy_share"
        ) }}
    ) AS anew
    WHERE NOT ({{ as_shipped() }})
),
summed AS (
    SELECT
        coalesce(b.box, a.system) AS box, a.system, CAST(date_trunc('hour', a.local_start) AS TIMESTAMP) AS t, a.volume,
        sum(wait_s) AS wait_s, sum(miss_s) AS miss_s, sum(nvs_s) AS nvs_s, sum(busy_s) AS busy_s
    FROM above a
    LEFT {{ join_volume_box_then("b", "a") }}
    GROUP BY coalesce(b.box, a.system), a.system, a.volume, date_trunc('hour', a.local_start)
)
SELECT
    box, system, CAST(date_trunc('hour', local_start) AS TIMESTAMP) AS t, CAST(NULL AS STRING) AS reason,
    sum(all_ios) AS ios, sum(lost) / 1000 AS lost_s, CAST(NULL AS BIGINT) AS subjects, CAST(NULL AS STRING) AS worst
FROM _unit_interval
WHERE all_ios > 0
GROUP BY box, system, date_trunc('hour', local_start)
{% for reason in ["wait", "miss", "nvs", "busy"] -%}
UNION ALL
SELECT box, system, t, '{{ reason }}', NULL, sum({{ reason }}_s), count(*), max_by(volume, name_order({{ reason }}_s, volume))
FROM summed
WHERE {{ reason }}_s IS NOT NULL
GROUP BY box, system, t
{% endfor -%}
ORDER BY box, system, t, reason

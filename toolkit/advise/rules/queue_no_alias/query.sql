-- title: Devices with a queue that SET THROTTLE or CP holds back, that take no aliases (fixed-block, EDEV), or that are busy all the time without a queue in CP, or with an unknown one
-- grain: one row per platform, system, volume
-- column cause VARCHAR []: emulated (a type without aliases), idle (CP holds I/Os, see unfit_interval), throttled, or unseen (a busy device without a queue in CP, or with an unknown one)
-- column used_ratio DOUBLE [ratio]: I/Os in progress per exposure, most in an interval
-- column delayed_rate DOUBLE [per second]: I/Os that SET THROTTLE delayed then; NULL where nothing shows it
-- column minidisks VARCHAR []: Guests that do I/O to it then and their virtual devices, separated by |; NULL where none is recorded
-- column usual_rate DOUBLE [per second]: I/O rate at other times; NULL where there are none
-- column usual_service_ms DOUBLE [milliseconds]: Service at other times
WITH seen AS (
    SELECT
        v.*, v.in_service / coalesce(v.exposures, 1) AS used_ratio,
        -- the monitor does not time the service of an emulated device
        coalesce(v.wait_ms >= $wait_share * v.response_ms, v.wait_ms > 0) AS waits,
        CASE
            WHEN NOT {{ takes_aliases("v.device_type") }} THEN 'emulated'
            WHEN u.is_idle THEN 'idle'
            WHEN v.throttle_delay_rate > 0 THEN 'throttled'
            -- a guest queues before CP does; z/OS shows its own queue
            WHEN v.platform = 'z/VM' AND v.is_hyperpav IS NOT TRUE THEN 'unseen'
        END AS cause
    FROM volume_interval v
    LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "v") }}
),
used AS (
    SELECT *, max(used_ratio) OVER (PARTITION BY platform, system, volume) AS most_used
    FROM seen
    -- of z/OS nearly no row has a cause, and only of z/VM those without one count
    WHERE cause IS NOT NULL OR platform = 'z/VM'
),
marked AS (
    SELECT
        *, CASE WHEN cause = 'unseen' THEN used_ratio ELSE queue_length END * interval_s AS lost,
        CASE
            -- where ever more are in progress, it has more exposures
            WHEN cause = 'unseen' THEN waits IS NOT TRUE AND used_ratio >= $busy AND most_used <= 2 - $busy
            ELSE waits AND (cause = 'idle' OR queue_length >= $queue_length)
        END AS is_held
    FROM used
),
held AS (
    SELECT
        *, min(cause) OVER (PARTITION BY platform, system, volume) AS main_cause,
        sum(interval_s) OVER (PARTITION BY platform, system, volume) AS held_s
    FROM marked
    WHERE is_held
),
bad AS (
    SELECT * FROM held WHERE cause = main_cause AND (cause <> 'unseen' OR held_s >= 3600 * $hours)
),
usual AS (
    SELECT
        platform, system, volume, sum(io_rate * interval_s) / sum(interval_s) AS usual_rate,
        {{ mean_of("service_ms", "io_rate * interval_s") }} AS usual_service_ms
    FROM marked
    WHERE is_held IS NOT TRUE AND interval_s > 0
    GROUP BY platform, system, volume
),
sharing AS (
    SELECT
        b.platform, b.system, b.volume,
        array_join(array_sort(array_distinct(collect_list(m.userid || ' ' || m.virtual_device))), '|') AS minidisks
    FROM bad b
    JOIN minidisk_interval m ON {{ equal("platform, system, device, interval_start", "m", "b") }}
    WHERE m.io_rate > 0 AND m.userid <> 'SYSTEM'
    GROUP BY b.platform, b.system, b.volume
),
{% call incident("bad", "platform, system, volume", also=["sharing", "usual"]) %}
    {{ each("max(NAME)", "device device_type cause used_ratio queue_length") }},
    {{ each("max_by(NAME, peak_order(coalesce(queue_length, -1), interval_start))", "io_rate wait_ms service_ms") }},
    max_by(throttle_delay_rate, peak_order(coalesce(queue_length, -1), interval_start)) AS delayed_rate,
    max_by(reserved_ratio, peak_order(coalesce(queue_length, -1), interval_start)) AS reserved_ratio
{% endcall %}
ORDER BY w.lost DESC, a.system, a.volume

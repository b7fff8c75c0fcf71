-- title: Volumes whose I/Os wait for the device because another system has it reserved
-- grain: one row per platform, system, volume
-- column usual_pend_ms DOUBLE [milliseconds]: Its usual pend, where no record has device busy delay: what is above is used, if most others of its LCU have their usual pend
-- column peak_busy_ms DOUBLE [milliseconds]: Device busy delay, worst interval
-- column own_reserved_ratio DOUBLE [ratio 0..1]: Most that this system found it reserved in these intervals
-- column busy_ms DOUBLE [milliseconds]: Device busy delay, weighted by rate
-- column active_intervals BIGINT []: Intervals in which the system used it
-- column holder VARCHAR []: A system that had it reserved at that time; NULL if none of those in the lake
-- column is_proven BOOLEAN []: Both systems have the volume at one LCU and device number; NULL where its box is unknown
-- column maybe_holder VARCHAR []: A system that had a volume of that serial reserved at that time, perhaps another disk; NULL if none
-- column is_mutual BOOLEAN []: The holder waits for the volume as well; NULL if not
-- column holding_job VARCHAR []: Job of the holder that uses the volume in most of that time, and least at other times; NULL if none is recorded
-- column is_daily BOOLEAN []: It had the delay in the same interval of two days that follow each other; NULL if not
WITH {{ other_use() }},
reserved AS (
    SELECT
        platform, system, volume,
        max(CASE WHEN is_same THEN reserved_ratio END) AS reserved_ratio,
        coalesce(
            max(CASE WHEN is_proven AND has_reserved THEN other END), max(CASE WHEN is_same AND has_reserved THEN other END)
        ) AS holder,
        CASE WHEN max(CASE WHEN is_same AND has_reserved THEN serial END) IS NOT NULL THEN coalesce(bool_or(is_proven AND has_reserved), FALSE) END AS is_proven,
        max(CASE WHEN is_ambiguous AND NOT is_same AND has_reserved THEN other END) AS maybe_holder
    FROM other_use
    GROUP BY platform, system, volume
),
mutual AS (
    SELECT DISTINCT r.platform, r.system, r.volume, TRUE AS is_mutual
    FROM reserved r
    JOIN bad b ON b.platform = r.platform AND b.volume = r.volume AND b.system = r.holder
),
-- the time in which the other system has it reserved, and in which its jobs use it
held AS (
    SELECT DISTINCT o.platform, o.system, o.volume, o.other, o.volser, o.from_us, o.until_us
    FROM other_use o
    JOIN reserved r ON {{ equal("platform, system, volume", "r", "o") }} AND r.holder = o.other
    WHERE o.has_reserved
),
used AS (
    SELECT 'smf30' AS source, system, volser, job, interval_start, interval_s FROM job_volume_interval
    UNION
    SELECT 'smf42', system, volser, job, interval_start, interval_s FROM dataset_interval
),
by_job AS (
    SELECT
        h.platform, h.system, h.volume, u.source, u.job,
        sum(at_least_0(least(h.until_us, u.until_us) - greatest(h.from_us, u.from_us))) AS held_us
    FROM held h
    JOIN (
        SELECT
            source, system, volser, job, unix_micros(interval_start) AS from_us,
            unix_micros(interval_start) + 1e6 * interval_s AS until_us
        FROM used
        WHERE job IS NOT NULL
    ) AS u ON u.system = h.other AND u.volser = h.volser AND u.from_us < h.until_us AND u.until_us > h.from_us
    GROUP BY h.platform, h.system, h.volume, u.source, u.job
),
-- who uses it then, and least at other times
holding AS (
    SELECT b.platform, b.system, b.volume, max_by(b.job, name_order(b.held_us / (t.all_us + w.used_us), b.job)) AS holding_job
    FROM by_job b
    JOIN (
        SELECT platform, system, volume, max(other) AS other, max(volser) AS volser, sum(until_us - from_us) AS all_us
        FROM held
        GROUP BY platform, system, volume
    ) AS t ON {{ equal("platform, system, volume", "t", "b") }}
    JOIN (
        SELECT source, system, volser, job, 1e6 * sum(interval_s) AS used_us FROM used GROUP BY source, system, volser, job
    ) AS w ON w.source = b.source AND w.system = t.other AND w.volser = t.volser AND w.job = b.job
    WHERE 2 * b.held_us >= t.all_us
    GROUP BY b.platform, b.system, b.volume
),
-- the same interval of two days that follow each other
daily AS (
    SELECT DISTINCT a.platform, a.system, a.volume, TRUE AS is_daily
    FROM bad a
    JOIN bad b ON {{ equal("platform, system, volume", "b", "a") }}
        AND abs(unix_micros(b.local_start) - unix_micros(a.local_start) - 8.64e10) <= 5e5 * a.interval_s
    WHERE a.usual_pend_ms IS NULL
),
elsewhen AS (
    SELECT
        v.platform, v.system, v.volume,
        max(CASE WHEN b.volume IS NULL THEN v.queue_length END) AS queue_else,
        count(*) AS active_intervals
    FROM volume_interval v
    LEFT JOIN bad b ON {{ equal("platform, system, volume, interval_start", "b", "v") }}
    WHERE v.io_rate > 0
    GROUP BY v.platform, v.system, v.volume
),
{% call incident(
    "bad", "platform, system, volume", "CASE WHEN device_busy_ms >= $deep_share * response_ms THEN lost END",
    also=["elsewhen", "reserved", "mutual", "holding", "daily"]
) %}
    CASE WHEN bool_and(usual_pend_ms IS NOT NULL) THEN max(usual_pend_ms) END AS usual_pend_ms,
    bool_or(is_overfull) AS is_overfull,
    max(device_busy_ms) AS peak_busy_ms,
    max(reserved_ratio) AS own_reserved_ratio,
    {{ each("sum(io_rate * NAME) / sum(io_rate)", "response_ms wait_ms") }},
    sum(io_rate * device_busy_ms) / sum(io_rate) AS busy_ms
{% endcall %}
ORDER BY w.lost DESC, a.volume, a.system

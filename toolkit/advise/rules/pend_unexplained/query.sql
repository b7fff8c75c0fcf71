-- title: LCUs, and single volumes of others, whose pend is far above their best intervals, without their LCU's command response time, device busy and full channels
-- grain: one row per platform, system, lcu, volume
-- column own_cmr_ms DOUBLE [milliseconds]: Of a volume without LCU: what its command response time is longer than that of all others without one
-- column cu_busy_ms DOUBLE [milliseconds]: Control unit busy delay of the LCU (78.3), mean of these intervals
-- column usual_cu_queue_ms DOUBLE [milliseconds]: Control unit queuing in the fourth of the best intervals
-- column are_channels_known BOOLEAN []: The use of the system's channels to disks is recorded; NULL where no record shows which of them lead to the LCU
-- column busy_paths VARCHAR []: Channel paths on which starts meet a busy director port in these intervals, separated by |; NULL if none
-- column port_busy_ratio DOUBLE [ratio 0..1]: Of their starts, mean of the worst such interval
WITH {{ full_channels("$used_ratio", "$taken_ratio") }},
seen AS (
    SELECT
        platform, system, lcu, '' AS volume, interval_start, interval_s, local_start, local_end, io_rate, rest_ms, cmr_ms,
        0 AS own_cmr_ms, cu_queue_ms, wait_ms, response_ms
    FROM way_interval
    WHERE rest_ms IS NOT NULL
    UNION ALL
    SELECT
        platform, system, coalesce(lcu, ''), volume, interval_start, interval_s, local_start, local_end, io_rate,
        at_least_0(pend_ms - device_busy_ms - cmr_ms + own_cmr_ms), cmr_ms, own_cmr_ms, cu_queue_ms, wait_ms, response_ms
    FROM (
        SELECT
            *,
            -- the answer of an LCU has rules of its own
            CASE
                WHEN lcu IS NULL
                    THEN at_least_0(cmr_ms - ((sum(io_rate * cmr_ms) OVER there) - io_rate * cmr_ms)
                        / nullif((sum(io_rate) OVER there) - io_rate, 0))
                ELSE 0
            END AS own_cmr_ms
        FROM volume_interval
        -- elsewhere no volume can be that far above anything
        WHERE cmr_ms IS NOT NULL AND pend_ms IS NOT NULL AND io_rate > 0
            AND coalesce(lcu, '') IN (
                SELECT coalesce(lcu, '') FROM volume_interval
                WHERE pend_ms - CASE WHEN lcu IS NULL THEN 0 ELSE cmr_ms END - device_busy_ms >= least($small_ms, $above_ms)
            )
        WINDOW there AS (PARTITION BY platform, system, lcu, interval_start)
    ) AS answered
),
{{ usual_of("seen", "rest_ms") }},
queued AS (
    SELECT * FROM busy WHERE cu_queue_ms IS NOT NULL
),
best_queue AS (
    SELECT platform, system, lcu, volume, best_ms AS usual_cu_queue_ms
    FROM ({{ best_of("cu_queue_ms", "queued", "platform, system, lcu, volume") }}) AS best
),
compared AS (
    SELECT
        c.*, b.best_ms AS usual_ms, c.rest_ms - b.best_ms AS above_ms,
        {{ rises("rest_ms", "best_ms", "$above_factor", "$above_ms", "c.platform, c.system, c.lcu, c.volume = ''") }} AS is_above
    FROM busy c
    JOIN best b ON b.platform = c.platform AND b.system = c.system AND b.lcu = c.lcu AND b.volume = c.volume
),
-- what most volumes of an LCU have in common is the way to it; slow_path has it where no record names LCUs
common AS (
    SELECT platform, system, lcu, interval_start
    FROM compared
    GROUP BY platform, system, lcu, interval_start
    HAVING max(CASE WHEN volume = '' AND is_above OR lcu = '' THEN 1 ELSE 0 END) = 1
        AND 2 * sum(CASE WHEN volume <> '' AND is_above THEN 1 ELSE 0 END) >= sum(CASE WHEN volume <> '' THEN 1 ELSE 0 END)
            + CASE WHEN lcu = '' THEN 1 ELSE 0 END
),
bad AS (
    SELECT c.*, l.cu_busy_delay_ms AS cu_busy_ms, c.io_rate * c.above_ms * c.interval_s / 1000 AS lost
    FROM compared c
    LEFT JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "c") }}
    LEFT JOIN common m ON {{ equal("platform, system, lcu, interval_start", "m", "c") }}
    LEFT JOIN full_way f ON {{ equal("platform, system, lcu, interval_start", "f", "c") }}
    WHERE c.is_above AND f.lcu IS NULL AND (m.lcu IS NOT NULL) = (c.volume = '')
),
known AS (
    SELECT DISTINCT platform, system, lcu, system IN (SELECT system FROM believed) AS are_channels_known FROM disk_path
),
port AS (
    SELECT
        p.platform, p.system, p.lcu, b.volume,
        array_join(array_sort(array_distinct(collect_list(p.channel_path))), '|') AS busy_paths,
        max(p.director_port_busy_ratio) AS port_busy_ratio
    FROM lcu_path_interval p
    -- records of paths have intervals of their own: the middle of one lies in the other
    JOIN bad b ON {{ equal("platform, system, lcu", "b", "p") }}
        AND unix_micros(p.interval_start) <= unix_micros(b.interval_start) + 5e5 * b.interval_s
        AND unix_micros(p.interval_start) + 1e6 * p.interval_s > unix_micros(b.interval_start) + 5e5 * b.interval_s
    WHERE p.director_port_busy_ratio >= $port_busy
    GROUP BY p.platform, p.system, p.lcu, b.volume
),
{% call incident(
    "bad", "platform, system, lcu, volume", "CASE WHEN above_ms >= $deep_share * response_ms THEN lost END",
    also=["best_queue", "known USING (platform, system, lcu)", "port"]
) %}
    avg(io_rate) AS io_rate,
    {{ mean_of("rest_ms", "io_rate") }} AS rest_ms,
    max(rest_ms) AS peak_ms,
    max(usual_ms) AS usual_ms,
    {{ each(mean_of("NAME", "io_rate"), "cmr_ms own_cmr_ms cu_queue_ms cu_busy_ms response_ms wait_ms") }}
{% endcall %}
ORDER BY a.platform, a.system, a.lcu, a.volume <> '', w.lost DESC, a.volume

-- question: pend_unexplained
-- title: LCUs, and single volumes of others, whose pend is far above their best intervals, without command response time, device busy and full channels
-- grain: one row per platform, system, lcu, volume
-- column usual_cu_queue_ms DOUBLE [milliseconds]: The same in the fourth of the best intervals
-- column are_channels_known BOOLEAN []: The use of the system's channels to disks, and which of them lead to the LCU, is recorded
WITH {{ full_channels("$used_ratio", "$taken_ratio") }},
seen AS (
    SELECT
        platform, system, lcu, '' AS volume, interval_start, interval_s, local_start, local_end, io_rate, rest_ms, cmr_ms,
        cu_queue_ms, wait_ms, response_ms
    FROM way_interval
    WHERE rest_ms IS NOT NULL
    UNION ALL
    SELECT
        platform, system, lcu, volume, interval_start, interval_s, local_start, local_end, io_rate,
        at_least_0(pend_ms - cmr_ms - device_busy_ms), cmr_ms, cu_queue_ms, wait_ms, response_ms
    FROM volume_interval
    WHERE cmr_ms IS NOT NULL AND pend_ms IS NOT NULL AND lcu IS NOT NULL
),
{{ usual_of("seen", "rest_ms") }},
queued AS (
    SELECT * FROM busy WHERE cu_queue_ms IS NOT NULL
),
best_queue AS (
    {{ best_of("cu_queue_ms", "queued", "platform, system, lcu, volume") }}
),
compared AS (
    SELECT
        c.*, b.best_ms AS usual_ms, c.rest_ms - b.best_ms AS above_ms,
        c.rest_ms >= b.best_ms + $above_ms AND c.rest_ms >= $above_factor * b.best_ms AS is_above
    FROM busy c
    JOIN best b ON b.platform = c.platform AND b.system = c.system AND b.lcu = c.lcu AND b.volume = c.volume
),
-- what most volumes of an LCU have in common is the way to it
common AS (
    SELECT platform, system, lcu, interval_start
    FROM compared
    GROUP BY platform, system, lcu, interval_start
    HAVING max(CASE WHEN volume = '' AND is_above THEN 1 ELSE 0 END) = 1
        AND 2 * sum(CASE WHEN volume <> '' AND is_above THEN 1 ELSE 0 END) >= sum(CASE WHEN volume <> '' THEN 1 ELSE 0 END)
),
bad AS (
    SELECT c.*, c.io_rate * c.above_ms * c.interval_s / 1000 AS lost
    FROM compared c
    LEFT JOIN common m ON {{ equal("platform, system, lcu, interval_start", "m", "c") }}
    LEFT JOIN full_way f ON {{ equal("platform, system, lcu, interval_start", "f", "c") }}
    WHERE c.is_above AND f.lcu IS NULL AND (m.lcu IS NOT NULL) = (c.volume = '')
),
total AS (
    SELECT
        platform, system, lcu, volume,
        avg(io_rate) AS io_rate,
        {{ mean_of("rest_ms", "io_rate") }} AS rest_ms,
        max(rest_ms) AS peak_ms,
        max(usual_ms) AS usual_ms,
        {{ mean_of("cmr_ms", "io_rate") }} AS cmr_ms,
        {{ mean_of("cu_queue_ms", "io_rate") }} AS cu_queue_ms,
        {{ mean_of("response_ms", "io_rate") }} AS response_ms,
        {{ mean_of("wait_ms", "io_rate") }} AS wait_ms
    FROM bad
    GROUP BY platform, system, lcu, volume
),
{% call incident("bad", "platform, system, lcu, volume", "(SELECT * FROM bad WHERE above_ms >= $deep_share * response_ms) AS deep") %}
    SELECT
        t.platform, t.system, t.lcu, t.volume, t.io_rate, t.rest_ms, t.peak_ms, t.usual_ms, t.cmr_ms, t.cu_queue_ms,
        q.best_ms AS usual_cu_queue_ms, t.response_ms, t.wait_ms, k.system IS NOT NULL AND l.lcu IS NOT NULL AS
        are_channels_known
    FROM total t
    LEFT JOIN best_queue q ON q.platform = t.platform AND q.system = t.system AND q.lcu = t.lcu AND q.volume = t.volume
    LEFT JOIN (SELECT DISTINCT platform, system FROM believed) k ON k.platform = t.platform AND k.system = t.system
    LEFT JOIN (SELECT DISTINCT platform, system, lcu FROM disk_path) l ON {{ equal("platform, system, lcu", "l", "t") }}
{% endcall %}
ORDER BY a.platform, a.system, a.lcu, a.volume <> '', w.lost DESC, a.volume

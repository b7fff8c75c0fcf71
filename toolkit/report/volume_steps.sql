-- title: Measurements of selected volumes over time
-- grain: one row per platform, system, volume, t
-- parameter $chosen VARCHAR []: Platform, tab, system, tab, volume of each, line feeds around each
-- columns: platform, system, volume, t, step_s, iosq, pend, disc, conn, unknown
-- column rate DOUBLE [per second]: I/Os
-- column queue DOUBLE []: I/Os queued in the host
WITH local AS (
    {{ steps_of("volume_interval") }}
),
-- each is looked for once: the list is long, and so are intervals
named AS (
    SELECT platform, system, volume, max(chr(10) || platform || chr(9) || system || chr(9) || volume || chr(10)) AS name
    FROM volume_interval
    GROUP BY platform, system, volume
)
SELECT
    l.platform, l.system, l.volume, t, max(step_s) AS step_s,
    {{ response_parts() }},
    {{ mean_of("io_rate", "interval_s") }} AS rate,
    {{ mean_of("queue_length", "interval_s") }} AS queue
FROM local l
JOIN named n ON n.platform = l.platform AND n.system = l.system AND n.volume = l.volume
WHERE io_rate > 0 AND response_ms IS NOT NULL AND instr($chosen, n.name) > 0
GROUP BY l.platform, l.system, l.volume, t
ORDER BY l.platform, l.system, l.volume, t

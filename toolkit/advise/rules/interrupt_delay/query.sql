-- title: Systems whose I/Os wait far longer for their interrupt than at other times or on other systems of the same volumes
-- grain: one row per platform, system
-- column most_volumes BIGINT []: Volumes with such I/Os, most in an interval
-- column io_rate DOUBLE [per second]: I/O rate of these volumes in the bad intervals
-- column delay_ms DOUBLE [milliseconds]: Interrupt delay of an I/O then
-- column usual_ms DOUBLE [milliseconds]: The same in the best intervals, of this system or one with the same volumes
-- column others_ms DOUBLE [milliseconds]: Interrupt delay then on other systems of the same volumes, mean; NULL if there are none
-- column response_ms DOUBLE [milliseconds]: Response then, without this delay
-- column busy_ratio DOUBLE [ratio 0..1]: The general-purpose processors (CP) of the system then, mean; NULL where not recorded
{% set meets = "unix_micros(o.interval_start) + 5e5 * o.interval_s >= unix_micros(l.interval_start)
        AND unix_micros(o.interval_start) + 5e5 * o.interval_s < unix_micros(l.interval_start) + 1e6 * l.interval_s" -%}
WITH seen AS (
    SELECT
        platform, system, interval_start, local_start, local_end,
        max(interval_s) AS interval_s,
        count(*) AS most_volumes,
        sum(io_rate) AS io_rate,
        {{ each(mean_of("NAME", "io_rate"), "response_ms") }},
        sum(io_rate * interrupt_delay_ms) / sum(io_rate) AS delay_ms
    FROM volume_interval
    WHERE io_rate > 0 AND interrupt_delay_ms IS NOT NULL
    GROUP BY platform, system, interval_start, local_start, local_end
),
steady AS (
    SELECT * FROM seen WHERE {{ has_enough_io("io_rate", "$io_rate", "delay_ms") }}
),
best AS ({{ best_of("delay_ms", "steady", "platform, system") }}),
disk AS (
    SELECT DISTINCT platform, system, volser FROM volume_interval WHERE volser IS NOT NULL
),
shared AS (
    SELECT DISTINCT m.platform, m.system, o.system AS other
    FROM disk m
    JOIN disk o ON o.platform = m.platform AND o.volser = m.volser AND o.system <> m.system
),
usual AS (
    SELECT b.platform, b.system, least(b.best_ms, min(o.best_ms)) AS usual_ms
    FROM best b
    LEFT JOIN shared s ON {{ equal("platform, system", "s", "b") }}
    LEFT JOIN best o ON o.platform = s.platform AND o.system = s.other
    GROUP BY b.platform, b.system, b.best_ms
),
late AS (
    SELECT s.*, u.usual_ms, s.io_rate * (s.delay_ms - u.usual_ms) * s.interval_s / 1000 AS lost
    FROM steady s
    JOIN usual u ON {{ equal("platform, system", "u", "s") }}
    WHERE s.delay_ms >= $above_factor * u.usual_ms AND s.delay_ms >= u.usual_ms + $above_ms
),
others_then AS (
    SELECT l.platform, l.system, l.interval_start, {{ mean_of("o.delay_ms", "o.io_rate") }} AS others_ms
    FROM late l
    JOIN shared s ON {{ equal("platform, system", "s", "l") }}
    JOIN seen o ON o.platform = s.platform AND o.system = s.other AND {{ meets }}
    GROUP BY l.platform, l.system, l.interval_start
),
busy_then AS (
    SELECT l.platform, l.system, l.interval_start, avg(o.busy_ratio) AS busy_ratio
    FROM late l
    JOIN cpu_interval o ON {{ equal("platform, system", "o", "l") }} AND {{ meets }}
    WHERE o.cpu_type = 'CP'
    GROUP BY l.platform, l.system, l.interval_start
),
bad AS (
    SELECT *
    FROM late
    LEFT JOIN others_then USING (platform, system, interval_start)
    LEFT JOIN busy_then USING (platform, system, interval_start)
),
{% call incident("bad", "platform, system") %}
    max(most_volumes) AS most_volumes,
    avg(io_rate) AS io_rate,
    {{ each(mean_of("NAME", "io_rate"), "delay_ms usual_ms others_ms response_ms busy_ratio") }}
{% endcall %}
ORDER BY w.lost DESC, a.platform, a.system

-- title: Volumes that are online to a system and have hardly any I/O
-- grain: one row per platform, volume
-- column box_ios DOUBLE [I/Os]: I/Os that the box counted, of systems not read as well; NULL without cache records
-- column hours DOUBLE [hours]: Length of the measurements, mean over systems
-- column system_names VARCHAR []: Their names, separated by |
-- column has_month_end BOOLEAN []: The last day of a month was measured
WITH used AS (
    SELECT
        platform, volume,
        {{ each("max(NAME)", "lcu exposures") }},
        bool_or(is_hyperpav) AS is_hyperpav,
        sum(coalesce(total_io_rate, io_rate) * interval_s) AS ios,
        count(DISTINCT system) AS systems,
        {{ measured_hours() }}
    FROM volume_interval
    WHERE lcu IS NOT NULL AND io_rate IS NOT NULL
    GROUP BY platform, volume
),
counted AS (
    -- a cache report has rates with one decimal: 0.0 is no evidence of none
    SELECT volser, sum(coalesce(io_count, nullif((read_rate + write_rate) * interval_s, 0))) AS box_ios
    FROM cache_interval
    WHERE volser IS NOT NULL
    GROUP BY volser
)
SELECT
    u.platform, u.volume, u.lcu, u.exposures, u.is_hyperpav, u.ios, c.box_ios, u.hours, u.systems, u.system_names,
    u.has_month_end
FROM used u
LEFT JOIN counted c ON c.volser = u.volume
WHERE greatest(u.ios, coalesce(c.box_ios, 0)) / nullif(u.hours, 0) <= $ios_per_hour AND u.hours >= $hours
ORDER BY u.platform, u.lcu, u.volume

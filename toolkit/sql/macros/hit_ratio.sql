{#
Hits of the 24 subsystems with the lowest ratio over the whole span, in steps of local time. ACCESS is read or write,
as in the names of the columns that count them.
#}
{% macro hit_ratio(access) -%}
WITH local AS (
    {{ steps_of("cache_subsystem_interval") }}
),
by_interval AS (
    SELECT
        subsystem, t,
        max(step_s) AS step_s,
        min(local_start) AS began,
        sum({{ access }}_count) AS accesses,
        sum({{ access }}_hit_count) / sum({{ access }}_count) AS hit_ratio
    FROM local
    WHERE {{ access }}_count > 0 AND {{ access }}_hit_count IS NOT NULL
    GROUP BY subsystem, t, slot
),
lowest AS (
    SELECT subsystem, sum(hit_ratio * accesses) / sum(accesses) AS whole_ratio
    FROM by_interval
    GROUP BY subsystem
    ORDER BY whole_ratio, subsystem
    LIMIT 24
)
SELECT
    i.t, i.subsystem,
    max(i.step_s) AS step_s,
    count(*) AS intervals,
    sum(i.hit_ratio * i.accesses) / sum(i.accesses) AS hit_ratio,
    max(w.whole_ratio) AS whole_ratio,
    min(i.hit_ratio) AS least,
    max_by(i.began, peak_order(-i.hit_ratio, i.began)) AS least_at,
    max(i.hit_ratio) AS most
FROM by_interval AS i
JOIN lowest AS w ON w.subsystem = i.subsystem
GROUP BY i.t, i.subsystem
ORDER BY i.subsystem, i.t
{%- endmacro %}

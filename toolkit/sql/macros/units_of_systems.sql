{#
Among common table expressions: volume, unit (an LCU, or the volumes of a system that are in none, with its box) and
by_interval, what the I/Os of a unit took in each interval, ms, and t, its start in local time.
#}
{% macro units_of_systems() -%}
volume AS (
    SELECT platform, system, volume, coalesce(max(lcu), '') AS unit, max(subsystem) AS subsystem, max(static_aliases) AS aliases
    FROM _volume_day
    GROUP BY platform, system, volume
),
unit AS (
    SELECT v.platform, v.system, v.unit, count(*) AS volumes, sum(v.aliases) AS static_aliases, max(b.box) AS box,
           max(b.serial) AS serial, max(b.control_unit_type) AS control_unit_type,
           nullif(array_join(sort_array(collect_set(v.subsystem)), ', '), '') AS subsystems
    FROM volume v
    LEFT JOIN (SELECT * FROM box_subsystem WHERE year(until) = 9999) b ON b.subsystem = v.subsystem
    GROUP BY v.platform, v.system, v.unit
),
by_interval AS (
    SELECT platform, system, coalesce(lcu, '') AS unit, interval_start, max(interval_s) AS interval_s, max(local_start) AS t,
           -- a part that some volumes lack is the mean of the others, never 0
           {% for part in ["wait", "pend", "disc", "conn"] -%}
           sum(ios) * sum({{ part }}) / nullif(sum({{ part }}_ios), 0) AS {{ part }},
           {% endfor -%}
           sum(ios) AS ios, sum(response) AS response
    FROM _unit_interval
    GROUP BY platform, system, coalesce(lcu, ''), interval_start
)
{%- endmacro %}

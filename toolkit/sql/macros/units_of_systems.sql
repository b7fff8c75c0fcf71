{#
Among common table expressions: volume, unit (an LCU, or the volumes of a system that are in none, with its box) and
by_interval, what the I/Os of a unit took in each interval, ms, and t, its start in local time.
#}
{% macro units_of_systems() -%}
volume AS (
    SELECT platform, system, volume, coalesce(max(lcu), '') AS unit, max(subsystem) AS subsystem,
           CASE WHEN bool_or(is_hyperpav) THEN 0 ELSE at_least_0(max(exposures) - 1) END AS aliases
    FROM volume_interval
    GROUP BY platform, system, volume
),
unit AS (
    SELECT v.platform, v.system, v.unit, count(*) AS volumes, sum(v.aliases) AS static_aliases, max(b.box) AS box,
           max(b.serial) AS serial, max(b.control_unit_type) AS control_unit_type,
           nullif(array_join(sort_array(collect_set(v.subsystem)), ', '), '') AS subsystems
    FROM volume v
    LEFT {{ join_last_box("b", "v") }}
    GROUP BY v.platform, v.system, v.unit
),
by_interval AS (
    SELECT m.platform, m.system, m.unit, m.interval_start, max(m.interval_s) AS interval_s, max(m.t) AS t,
           sum(m.ios) AS ios, sum(m.ios * m.response_ms) AS response,
           -- a part that some volumes lack is the mean of the others, never 0
           sum(m.ios) * {{ mean_of("m.wait_ms", "m.ios") }} AS wait, sum(m.ios) * {{ mean_of("m.pend_ms", "m.ios") }} AS pend,
           sum(m.ios) * {{ mean_of("m.disc_ms", "m.ios") }} AS disc, sum(m.ios) * {{ mean_of("m.conn_ms", "m.ios") }} AS conn
    FROM (
        SELECT *, coalesce(lcu, '') AS unit,
               CASE WHEN response_ms IS NOT NULL THEN io_rate * interval_s END AS ios,
               local_start AS t
        FROM volume_interval
    ) m
    GROUP BY m.platform, m.system, m.unit, m.interval_start
)
{%- endmacro %}

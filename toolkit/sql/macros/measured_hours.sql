{#
Among the columns of a SELECT that groups intervals of several systems: hours measured, mean over the systems, their names joined by |,
and whether the last day of a month is among them.
#}
{% macro measured_hours() -%}
sum(interval_s) / count(DISTINCT system) / 3600 AS hours,
array_join(sort_array(collect_set(system)), '|') AS system_names,
max(CASE WHEN last_day(local_start) = CAST(local_start AS DATE) THEN 1 ELSE 0 END) = 1 AS has_month_end
{%- endmacro %}

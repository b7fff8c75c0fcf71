{#
Whether NVS takes no writes at all of the subsystems of a box that have delayed ones: of its rows with $delayed_ratio of the writes
delayed or more, those with $refused_ratio of the writes of these subsystems have most of the delayed writes, and one of them has
$refused_times the write rate of another. A full NVS takes what is destaged. The rows have box, nvs_delay_count, write_count,
late_write_count and interval_s; ROW, their alias with a point, is only needed next to other rows.
#}
{% macro nvs_out_of_use(row="") -%}
{%- set of_box = "OVER (PARTITION BY " ~ row ~ "box)" -%}
{%- set late = "CASE WHEN " ~ row ~ "nvs_delay_count >= $delayed_ratio * " ~ row ~ "write_count THEN " ~ row ~ "nvs_delay_count END" -%}
{%- set is_refused = row ~ "nvs_delay_count > 0 AND " ~ row ~ "nvs_delay_count >= $refused_ratio * " ~ row ~ "late_write_count" -%}
{%- set rate = "CASE WHEN " ~ is_refused ~ " THEN " ~ row ~ "late_write_count / " ~ row ~ "interval_s END" -%}
coalesce(
    2 * sum(CASE WHEN {{ is_refused }} THEN {{ row }}nvs_delay_count END) {{ of_box }} > sum({{ late }}) {{ of_box }}
    AND max({{ rate }}) {{ of_box }} >= $refused_times * min({{ rate }}) {{ of_box }}, FALSE
)
{%- endmacro %}

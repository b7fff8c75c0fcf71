{#
Of intervals that are grouped by the hour they start in: first_us and last_us, their first and last start, and middle_us,
the last one's middle, as turns want them.
#}
{% macro moments_of_hour(start="interval_start", length="interval_s") -%}
min(unix_micros({{ start }})) AS first_us,
max(unix_micros({{ start }})) AS last_us,
max(unix_micros({{ start }}) + CAST(coalesce({{ length }}, 0) * 500000 AS BIGINT)) AS middle_us
{%- endmacro %}

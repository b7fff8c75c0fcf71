{#
Of intervals that are grouped by the hour they start in: first_us and last_us, their first and last start, and middle_us,
the last one's middle, as turns want them.
#}
{% macro moments_of_hour() -%}
min(unix_micros(interval_start)) AS first_us,
max(unix_micros(interval_start)) AS last_us,
max(unix_micros(interval_start) + CAST(coalesce(interval_s, 0) * 500000 AS BIGINT)) AS middle_us
{%- endmacro %}

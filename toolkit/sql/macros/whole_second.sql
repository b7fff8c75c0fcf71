{#
The second of TIME. Monitor samples have a time each: compared by seconds, those of a system are one interval.
#}
{% macro whole_second(time) -%}
CAST(timestamp_micros(CAST(floor(unix_micros({{ time }}) / 1e6) * 1000000 AS BIGINT)) AS TIMESTAMP)
{%- endmacro %}

{#
True for a row whose VALUE, ms, is FACTOR times USUAL or more, and above it by MS. SMALL, by default the value, may be above it by
$small_ms only, on days on which that loses one of KEYS $dear_h hours of I/O time. The rows have io_rate, interval_s and local_start.
#}
{% macro rises(value, usual, factor, ms, keys, small="") -%}
{%- set above = " >= " ~ factor ~ " * " ~ usual -%}
{%- set little = (small or value) ~ above ~ " AND " ~ (small or value) ~ " >= " ~ usual ~ " + $small_ms" -%}
(({{ value }}{{ above }} AND {{ value }} >= {{ usual }} + {{ ms }}) OR ({{ little }}
AND sum(CASE WHEN {{ little }} THEN io_rate * ({{ small or value }} - {{ usual }}) * interval_s END)
OVER (PARTITION BY {{ keys }}, CAST(local_start AS DATE)) >= $dear_h * 3.6e6))
{%- endmacro %}

{#
The join of intervals between monitor samples, as ROW, with left_out as x. WHERE x.subject IS NULL leaves those that count.
#}
{% macro join_sample(row, report, subject) -%}
{%- set start = whole_second(row ~ ".interval_start") -%}
{{ join_left_out("'z/VM'", report, row ~ ".system", subject, start, "round(" ~ row ~ ".interval_s)") }}
{%- endmacro %}

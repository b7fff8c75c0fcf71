{#
The join of sections of a z/OS record, as ROW, with left_out as x. WHERE x.subject IS NULL leaves those that count.
#}
{% macro join_section(row, report, subject) -%}
{{ join_left_out("'z/OS'", report, row ~ ".system", subject, row ~ ".interval_start", row ~ ".interval_s") }}
{%- endmacro %}

{#
The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC, and with left_out as x. WHERE
x.subject IS NULL leaves those that count.
#}
{% macro join_listing(row, platform, report, owner, subject) -%}
{{ join_listing_clock(row, platform) }}
{{ join_left_out(platform, report, owner, subject, "l.interval_start", row ~ ".interval_s", "TRUE") }}
{%- endmacro %}

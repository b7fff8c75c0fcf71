{#
The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC.
#}
{% macro join_listing_clock(row, platform) -%}
JOIN listing_clock l
    ON l.platform = {{ platform }}
    AND l.system = {{ row }}.system
    AND l.printed_start = {{ row }}.interval_start
    AND l.printed_offset_s IS NOT DISTINCT FROM {{ row }}.utc_offset_s
    AND {{ row }}.interval_s > 0
    AND NOT l.clashes
{%- endmacro %}

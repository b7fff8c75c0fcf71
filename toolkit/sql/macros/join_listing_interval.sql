{#
The join of printed rows, as ROW, with listing_interval as l: only rows that no other report or record of the same time
replaces. Further conditions may follow (AND ...).
#}
{% macro join_listing_interval(row, platform, report) -%}
JOIN listing_interval l
    ON l.platform = {{ platform }}
    AND l.report = {{ report }}
    AND l.system = {{ row }}.system
    AND l.printed_start = {{ row }}.interval_start
    AND l.printed_offset_s IS NOT DISTINCT FROM {{ row }}.utc_offset_s
    AND l.printed_s IS NOT DISTINCT FROM {{ row }}.interval_s
    AND l.kept
{%- endmacro %}

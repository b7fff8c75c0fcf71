{#
The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC, and with listing_beside as x: with
WHERE x.subject IS NULL only rows that neither another listing nor records replace. CLOCK and OVERLAPS are those views, or
common table expressions of them where a text needs each twice.
#}
{% macro join_listed_subject(row, subject, owner, platform, report, clock, overlaps) -%}
{{ join_listing_clock(row, owner, platform, report, clock) }}
LEFT JOIN {{ overlaps }} x
    ON x.platform = {{ platform }}
    AND x.report = {{ report }}
    AND x.owner = {{ owner }}
    AND x.system = {{ row }}.system
    AND x.printed_start = {{ row }}.interval_start
    AND x.printed_offset_s IS NOT DISTINCT FROM {{ row }}.utc_offset_s
    AND x.printed_s IS NOT DISTINCT FROM {{ row }}.interval_s
    AND x.subject = {{ subject }}
    AND x.left_out_for IS NOT NULL
{%- endmacro %}

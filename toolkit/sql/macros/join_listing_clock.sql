{#
The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC. CLOCK is that view, or a common
table expression of it where a text needs it twice.
#}
{% macro join_listing_clock(row, owner, platform, report, clock) -%}
JOIN {{ clock }} l
    ON l.platform = {{ platform }}
    AND l.report = {{ report }}
    AND l.owner = {{ owner }}
    AND l.system = {{ row }}.system
    AND l.printed_start = {{ row }}.interval_start
    AND l.printed_offset_s IS NOT DISTINCT FROM {{ row }}.utc_offset_s
    AND l.printed_s IS NOT DISTINCT FROM {{ row }}.interval_s
    AND NOT l.clashes
{%- endmacro %}

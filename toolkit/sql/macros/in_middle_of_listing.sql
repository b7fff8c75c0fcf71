{#
The condition of a join of a record's rows, as ROW, with listing_beside as x: the listing counts in their place. The
subject is still to be compared (AND x.subject = ...); WHERE x.subject IS NULL leaves the other rows.
#}
{% macro in_middle_of_listing(row, owner, platform, report) -%}
x.platform = {{ platform }}
    AND x.report = {{ report }}
    AND x.owner = {{ owner }}
    AND x.left_out_for IS NULL
    AND unix_micros(x.interval_start) <= unix_micros({{ row }}.interval_start) + CAST(500000 * {{ row }}.interval_s AS BIGINT)
    AND unix_micros(x.interval_start) + CAST(1000000 * greatest(least(coalesce(x.printed_s, 0), 604800), 1) AS BIGINT)
        > unix_micros({{ row }}.interval_start) + CAST(500000 * {{ row }}.interval_s AS BIGINT)
{%- endmacro %}

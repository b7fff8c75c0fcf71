{#
The joins, with their WHERE, that leave of a record's rows, as ROW, those that neither a listing nor, in REPEATED (see
repeats), other intervals of the same system replace for their subject.
#}
{% macro join_what_replaces(row, subject, report, repeated) -%}
LEFT JOIN listing_beside x
    ON {{ in_middle_of_listing(row, row ~ ".system", "'z/OS'", report) }}
    AND x.subject = {{ subject }}
{{ join_repeats(row, subject, repeated) }}
WHERE x.subject IS NULL AND o.subject IS NULL
{%- endmacro %}

{#
The join of a record's rows, as ROW, with RELATION (repeats) as o: other intervals cover that of SUBJECT. WHERE o.subject
IS NULL leaves the other rows.
#}
{% macro join_repeats(row, subject, relation) -%}
LEFT JOIN {{ relation }} o
    ON o.system = {{ row }}.system
    AND o.interval_start = {{ row }}.interval_start
    AND o.interval_s = {{ row }}.interval_s
    AND o.subject = {{ subject }}
{%- endmacro %}

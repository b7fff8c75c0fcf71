{#
The condition of a join of a record's rows, as ROW, with RELATION (repeats) as o: other intervals cover this one.
The subject is still to be compared (AND o.subject = ...); WHERE o.subject IS NULL leaves the other rows.
#}
{% macro covered_otherwise(row, relation) -%}
o.system = {{ row }}.system
    AND o.interval_start = {{ row }}.interval_start
    AND o.interval_s = {{ row }}.interval_s
{%- endmacro %}

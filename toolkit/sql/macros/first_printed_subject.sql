{#
As `first printed`, of rows that neither another listing nor records replace; begins with WHERE x.subject IS NULL AND ...
#}
{% macro first_printed_subject(relation, report, subject, keys) -%}
SELECT
    i.*,
    l.interval_start AS start,
    l.utc_offset_s AS offset_s,
    row_number() OVER (PARTITION BY i.system, l.interval_start, {{ keys }} ORDER BY i.file_id, i.line) AS turn
FROM {{ relation }} i
{{ join_listed_subject("i", subject, "i.system", "'z/OS'", report, "listing_clock", "listing_beside") }}
{%- endmacro %}

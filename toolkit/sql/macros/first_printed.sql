{#
Rows of a listing that count and fulfil WHERE, with start and offset_s of the time they are for: of rows that the same start
prints twice for OWNER and KEYS that of the shortest interval, or the first by ORDER. Arguments name the row i.
#}
{% macro first_printed(relation, platform, report, subject, keys, where="TRUE", owner="i.system", order="i.interval_s") -%}
SELECT *
FROM (
    SELECT
        i.*, l.interval_start AS start, l.utc_offset_s AS offset_s,
        row_number() OVER (
            PARTITION BY {{ owner }}, l.interval_start, {{ keys }} ORDER BY {{ order }}, i.system, i.file_id, i.line
        ) AS turn
    FROM {{ relation }} i
    {{ join_listing("i", platform, report, owner, subject) }}
    WHERE x.subject IS NULL AND {{ where }}
) AS numbered
WHERE turn = 1
{%- endmacro %}

{#
Rows of a listing that count, as i, with start and offset_s of the time they are for, within `FROM (...) AS numbered WHERE
turn = 1`: of rows that the same start prints twice for OWNER and KEYS that of the shortest interval counts, or the first by
ORDER. Conditions may follow (AND ...).
#}
{% macro first_printed(relation, platform, report, subject, keys, owner="i.system", order="i.interval_s") -%}
SELECT
    i.*,
    l.interval_start AS start,
    l.utc_offset_s AS offset_s,
    row_number() OVER (
        PARTITION BY {{ owner }}, l.interval_start, {{ keys }} ORDER BY {{ order }}, i.system, i.file_id, i.line
    ) AS turn
FROM {{ relation }} i
{{ join_listing("i", platform, report, owner, subject) }}
WHERE x.subject IS NULL
{%- endmacro %}

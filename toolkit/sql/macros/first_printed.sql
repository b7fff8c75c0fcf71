{#
Rows of a listing, as i, with start and offset_s of the time they are for, within `FROM (...) AS numbered WHERE
turn = 1`: of rows that the same start prints twice for KEYS that of the shortest interval counts. Conditions may follow (WHERE ...).
#}
{% macro first_printed(relation, platform, report, keys) -%}
SELECT
    i.*,
    l.interval_start AS start,
    l.utc_offset_s AS offset_s,
    row_number() OVER (PARTITION BY i.system, l.interval_start, {{ keys }} ORDER BY i.interval_s, i.file_id, i.line) AS turn
FROM {{ relation }} i
{{ join_listing_interval("i", platform, report) }}
{%- endmacro %}

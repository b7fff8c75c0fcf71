{#
A source: the rows of a listing that count, see first_printed. The caller gives the columns measured.
#}
{% macro printed(relation, platform, report, subject, keys, where="TRUE", owner="i.system", order="i.interval_s") -%}
SELECT
    system, start AS interval_start, interval_s, offset_s AS utc_offset_s, file_id, line AS place,
    {{ caller()|trim }}
FROM (
    {{ first_printed(relation, platform, report, subject, keys, where, owner, order) }}
) AS counted
{%- endmacro %}

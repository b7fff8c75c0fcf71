{#
As `first printed`, of a report on boxes: of several systems that print a box the first by name counts. Conditions may
follow (WHERE ...).
#}
{% macro first_printed_of_box(relation, keys) -%}
SELECT
    i.*,
    l.interval_start AS start,
    l.utc_offset_s AS offset_s,
    row_number() OVER (
        PARTITION BY trim(LEADING '0' FROM i.serial), l.interval_start, {{ keys }} ORDER BY i.system, i.file_id, i.line
    ) AS turn
FROM {{ relation }} i
{{ join_listing_interval("i", "'z/OS'", "'box'") }}
    AND l.owner = trim(LEADING '0' FROM i.serial)
{%- endmacro %}

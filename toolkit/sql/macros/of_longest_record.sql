{#
Sections of type 78.3 in TABLE that count: of several records of an interval and SUBJECT, a column, those of the longest.
#}
{% macro of_longest_record(table, subject) -%}
SELECT *
FROM (
    SELECT
        s.*,
        rank() OVER (
            PARTITION BY s.system, s.interval_start, s.{{ subject }} ORDER BY s.interval_s DESC, s.record_id
        ) AS turn
    FROM {{ table }} s
    {{ join_section("s", "'queue'", "s." ~ subject) }}
    WHERE x.subject IS NULL
) AS counted
WHERE turn = 1
{%- endmacro %}

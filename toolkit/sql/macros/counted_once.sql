{#
Among common table expressions: once, the rows of RELATION (sections of a z/OS record) that count, one for each interval
and SUBJECT: not those whose time others hold (see left_out_of), and of several the first of the longest. GRADE is 1 for
a section without numbers.
#}
{% macro counted_once(relation, subject, grade="2") -%}
section AS (
    SELECT *, {{ subject }} AS subject, {{ grade }} AS grade FROM {{ relation }}
),
repeated_interval AS (
    {{ left_out_of("section", "system") }}
),
numbered AS (
    SELECT
        s.*,
        row_number() OVER (
            PARTITION BY s.system, s.interval_start, s.subject ORDER BY s.interval_s DESC, s.record_id, s.section_index
        ) AS turn
    FROM section s
    LEFT JOIN repeated_interval o ON {{ equal("system, interval_start, interval_s, subject", "o", "s") }}
    WHERE s.interval_start IS NOT NULL AND s.interval_s > 0 AND o.subject IS NULL
),
once AS (
    SELECT * FROM numbered WHERE turn = 1
)
{%- endmacro %}

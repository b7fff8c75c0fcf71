{#
What each LCU and single volume could do in its own best intervals. Among common table expressions: gives busy (the rows
of RELATION with enough I/O for a mean that holds) and best (see best_of), by platform, system, lcu and volume. The
question has the parameter $io_rate.
#}
{% macro usual_of(relation, ms) -%}
busy AS (
    SELECT * FROM {{ relation }} WHERE {{ has_enough_io("io_rate", "$io_rate", ms) }}
),
steady AS (
    SELECT * FROM busy WHERE io_rate >= $io_rate
),
best AS (
    {{ best_of(ms, "steady", "platform, system, lcu, volume") }}
)
{%- endmacro %}

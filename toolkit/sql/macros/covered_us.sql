{#
How much time the rows of RELATION, each with from_us and until_us, take together as covered_us; what several hold counts once.
#}
{% macro covered_us(relation, keys) -%}
SELECT {{ keys }}, sum(greatest(until_us - greatest(from_us, coalesce(before_us, from_us)), 0)) AS covered_us
FROM (
    SELECT r.*, max(until_us) OVER (
        PARTITION BY {{ keys }} ORDER BY from_us, until_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS before_us
    FROM {{ relation }} r
) AS in_turn
GROUP BY {{ keys }}
{%- endmacro %}

{#
What each could do in its own best intervals, whatever share of the span was bad, within `best AS (...)`: best_ms, the
fourth lowest VALUE, so that a few odd intervals decide nothing; of at most 24 intervals the last of the best eighth, as
in so short a span trouble may leave fewer than four.
#}
{% macro best_of(value, relation, keys) -%}
SELECT {{ keys }}, max({{ value }}) AS best_ms
FROM (
    SELECT
        {{ keys }}, {{ value }}, row_number() OVER (PARTITION BY {{ keys }} ORDER BY {{ value }}) AS place,
        count(*) OVER (PARTITION BY {{ keys }}) AS intervals
    FROM {{ relation }}
) AS ordered
WHERE place <= 4 AND 8 * (place - 1) < intervals
GROUP BY {{ keys }}
{%- endmacro %}

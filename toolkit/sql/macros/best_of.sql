{#
What each could do in its own best intervals, whatever share of the span was bad, within `best AS (...)`: best_ms, the
fourth lowest VALUE, so that a few odd intervals decide nothing.
#}
{% macro best_of(value, relation, keys) -%}
SELECT {{ keys }}, max({{ value }}) AS best_ms
FROM (
    SELECT {{ keys }}, {{ value }}, row_number() OVER (PARTITION BY {{ keys }} ORDER BY {{ value }}) AS place
    FROM {{ relation }}
) AS ordered
WHERE place <= 4
GROUP BY {{ keys }}
{%- endmacro %}

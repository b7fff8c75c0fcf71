{#
What each could do in its own best intervals, whatever share of the span was bad, within `best AS (...)`: best_ms, the
fourth lowest VALUE, so that a few odd intervals decide nothing; of at most 24 intervals the last of the best eighth, as
in so short a span trouble may leave fewer than four.
#}
{% macro best_of(value, relation, keys, further="") -%}
SELECT
    {{ keys }},{{ " " ~ further ~ "," if further }}
    get(
        sort_array(collect_list({{ value }})),
        CAST(least(4, ceil(count(*) / 8e0), count({{ value }})) AS INTEGER) - 1
    ) AS best_ms
FROM {{ relation }}
GROUP BY {{ keys }}
{%- endmacro %}

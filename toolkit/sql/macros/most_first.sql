{#
Names of RELATION, those with most of AMOUNT first, joined by | as volumes, within `named AS (...)`: one row per key.
#}
{% macro most_first(name, amount, relation, keys) -%}
SELECT
    {{ keys }},
    array_join(in_order(collect_list(lpad(CAST(place AS STRING), 9, '0')), collect_list({{ name }})), '|') AS volumes
FROM (
    SELECT {{ keys }}, {{ name }}, row_number() OVER (PARTITION BY {{ keys }} ORDER BY sum({{ amount }}) DESC, {{ name }}) AS place
    FROM {{ relation }}
    GROUP BY {{ keys }}, {{ name }}
) AS placed
GROUP BY {{ keys }}
{%- endmacro %}

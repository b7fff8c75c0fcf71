{#
The end of a rule's query, with the run of bad intervals that lost most. RELATION and KEYS are those of worst_run, whose columns are
added to each row with the same keys: lost, longest_s, window_start, window_end, bad_intervals, runs, first_start, last_end,
bad_days, worst_lost, and deep_s with DEEP. The caller gives the columns of a row for each key, over the rows of OF, which are the bad
intervals if it names no others; ALSO names relations whose columns are added, joined by the keys or as it says. With is_select the
caller gives a whole SELECT in place of that, with the rows of the answer, which may read worst. An ORDER BY calls the rows a. With
is_made the query has defined worst itself, as it reads it earlier.
#}
{% macro incident(relation, keys, deep="", of="", also=[], is_select=false, is_made=false) -%}
{% if not is_made -%}
worst AS ({{ worst_run(relation, keys, deep) }}),
{% endif -%}
answer AS (
{%- if is_select %}{{ caller() }}{% else %}
    SELECT *
    FROM (
        SELECT
            {{ keys }},
            {{ caller()|trim }}
        FROM {{ of or relation }}
        GROUP BY {{ keys }}
    ) AS of_each
    {%- for relation in also %}
    LEFT JOIN {{ relation }}{% if "USING" not in relation %} USING ({{ keys }}){% endif %}
    {%- endfor %}
{% endif -%}
)
SELECT *
FROM answer a
JOIN worst w USING ({{ keys }})
{%- endmacro %}

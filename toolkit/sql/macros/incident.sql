{#
The end of a rule's query: the answer of the caller's SELECT, with the run of bad intervals that lost most. RELATION and KEYS
are those of worst_run, whose columns are added to each row with the same keys: lost, longest_s, window_start, window_end,
bad_intervals, runs, first_start, last_end, bad_days. DEEP is a relation of the bad intervals that count by their depth: with it,
deep_s is added, most that a run of these lost; NULL where there is none. The caller's SELECT may read worst; an ORDER BY calls
its rows a. With is_made the query has defined worst itself, as it reads it earlier.
#}
{% macro incident(relation, keys, deep="", is_made=false) -%}
{% if not is_made -%}
worst AS ({{ worst_run(relation, keys) }}),
{% endif -%}
{% if deep -%}
deepest AS ({{ worst_run(deep, keys) }}),
{% endif -%}
answer AS ({{ caller() }})
SELECT
    a.*, {% if deep %}d.worst_lost AS deep_s, {% endif %}w.lost, w.longest_s, w.window_start, w.window_end, w.bad_intervals, w.runs,
    w.first_start, w.last_end, w.bad_days
FROM answer a
JOIN worst w ON {{ equal(keys, "w", "a") }}
{%- if deep %}
LEFT JOIN deepest d ON {{ equal(keys, "d", "a") }}
{%- endif %}
{%- endmacro %}

{#
1 for the rows of each of KEYS to judge: those with as many aliases as now (IS_NOW; NULL where the number never changed), if
there are any, else all. Higher for the others.
#}
{% macro as_now_first(keys, is_now) -%}
rank() OVER (PARTITION BY {{ keys }} ORDER BY CASE WHEN coalesce({{ is_now }}, TRUE) THEN 0 ELSE 1 END)
{%- endmacro %}

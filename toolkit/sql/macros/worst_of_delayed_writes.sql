{#
Largest value of a column of nvs_delay, of the intervals that delayed writes; NULL if none of these has it,
since the 0 of other intervals is not theirs. Where no write was ever delayed it is that of any interval.
#}
{% macro worst_of_delayed_writes(column) -%}
coalesce(
    max(CASE WHEN nvs_delay_count > 0 THEN {{ column }} END), CASE WHEN max(nvs_delay_count) = 0 THEN max({{ column }}) END
)
{%- endmacro %}

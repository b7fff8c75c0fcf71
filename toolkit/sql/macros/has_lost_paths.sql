{#
True for a row of volume_interval with fewer channel paths online than at other times; FALSE where they are not recorded.
#}
{% macro has_lost_paths(v) -%}
coalesce({{ v }}.paths < {{ most_paths(v) }}, FALSE)
{%- endmacro %}

{#
Whether an area of CP is spool space that holds more pages than spool files move: CP pages there when page space is full.
#}
{% macro holds_pages() -%}
(upper(area) LIKE 'SP%' AND page_read_rate + page_write_rate > spool_read_rate + spool_write_rate)
{%- endmacro %}

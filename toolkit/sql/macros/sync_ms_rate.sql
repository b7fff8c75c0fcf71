{#
Unknown where there are some and their time is.
#}
{% macro sync_ms_rate() -%}
(CASE WHEN sync_read_rate > 0 THEN sync_read_rate * sync_read_ms ELSE 0 END
    + CASE WHEN sync_write_rate > 0 THEN sync_write_rate * sync_write_ms ELSE 0 END)
{%- endmacro %}

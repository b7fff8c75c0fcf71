{#
Mean response of normal and synchronous I/Os together, of their rates and means; unknown where there are synchronous
ones and their time is.
#}
{% macro total_response() -%}
CASE
    WHEN io_rate > 0
        THEN (io_rate * (wait_ms + service_ms) + {{ sync_ms_rate() }}) / total_io_rate
    ELSE {{ sync_ms_rate() }} / nullif(total_io_rate, 0)
END
{%- endmacro %}

{#
The four parts of the response time per I/O over rows of volume_interval with a response, and the rest of it that no
known part explains. The five add up to the response; NULL where no row knows the part, or every row knows all four.
#}
{% macro response_parts() -%}
sum(io_rate * wait_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS iosq,
sum(io_rate * pend_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS pend,
sum(io_rate * disc_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS disc,
sum(io_rate * conn_ms * interval_s) / nullif(sum(io_rate * interval_s), 0) AS conn,
sum(
    CASE
        WHEN wait_ms + pend_ms + disc_ms + conn_ms IS NULL THEN io_rate * interval_s * at_least_0(
            response_ms - coalesce(wait_ms, 0) - coalesce(pend_ms, 0) - coalesce(disc_ms, 0) - coalesce(conn_ms, 0))
    END
) / nullif(sum(io_rate * interval_s), 0) AS unknown
{%- endmacro %}

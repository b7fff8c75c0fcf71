{#
Intervals of boxes with in_service, the I/Os inside without those that wait for a device that another system has reserved: these
fill no box. Of a box whose records have device busy only intervals that have it; of another in_service is an upper bound.
#}
{% macro inside_boxes() -%}
SELECT
    box, interval_start, io_rate, queue_length, missing_ratio, is_recorded AS has_busy,
    CASE WHEN is_recorded THEN in_service - device_busy ELSE in_service END AS in_service
FROM (SELECT *, bool_or(device_busy IS NOT NULL) OVER (PARTITION BY box) AS is_recorded FROM box_interval) AS i
WHERE device_busy IS NOT NULL OR NOT is_recorded
{%- endmacro %}

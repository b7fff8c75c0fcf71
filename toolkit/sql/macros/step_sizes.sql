{#
Lengths of a chart's steps in seconds: what divides an hour or a day, then a week, thirty days, a year.
#}
{% macro step_sizes() -%}
SELECT CAST(size AS INTEGER) AS size
FROM (
    VALUES
        (60), (120), (180), (240), (300), (360), (600), (720), (900), (1200), (1800), (3600), (7200), (10800), (14400),
        (21600), (28800), (43200), (86400), (604800), (2592000), (31536000)
) AS sizes (size)
{%- endmacro %}

{#
Full channels to disks, among common table expressions: those of full_channels, full_channel (each channel and interval) and bad (the
intervals of a system with any). The question has the parameters $used_ratio and $taken_ratio.
#}
{% macro full_channel_intervals() -%}
{{ full_channels("$used_ratio", "$taken_ratio") }},
full_channel AS (
    SELECT * FROM believed WHERE used_ratio >= $used_ratio
),
bad AS (
    SELECT
        platform, system, interval_start, local_start,
        max(local_end) AS local_end,
        sum(used_ratio) AS lost
    FROM full_channel
    GROUP BY platform, system, interval_start, local_start
)
{%- endmacro %}

{#
On the clock of the devices, which needn't be that of the channels: the channels to disks that are full (full_then), and
the LCUs and intervals whose I/Os mostly take them (full_way). Among common table expressions: gives disk_path and
believed too.
#}
{% macro full_channels(used, taken) -%}
disk_path AS (
    SELECT p.platform, p.system, p.interval_start, p.lcu, p.channel_path, p.taken_rate
    FROM lcu_path_on_device_clock p
    JOIN lcu_interval l ON {{ equal("platform, system, lcu, interval_start", "l", "p") }}
),
believed AS (
    -- more than all of an interval, rounding aside, is no measurement
    SELECT *
    FROM disk_channel_interval
    WHERE coalesce(busy_ratio, 0) <= 1.01 AND coalesce(bus_busy_ratio, 0) <= 1.01
),
full_then AS (
    SELECT u.platform, u.system, a.interval_start, u.channel_path
    FROM believed u
    JOIN device_alignment a
        ON a.platform = u.platform AND a.system = u.system AND a.other_start = u.interval_start
        AND a.other_s = u.interval_s
    GROUP BY u.platform, u.system, a.interval_start, u.channel_path
    HAVING sum(u.used_ratio * u.interval_s) / sum(u.interval_s) >= {{ used }}
),
full_way AS (
    SELECT p.platform, p.system, p.lcu, p.interval_start
    FROM disk_path p
    LEFT JOIN full_then f ON {{ equal("platform, system, channel_path, interval_start", "f", "p") }}
    GROUP BY p.platform, p.system, p.lcu, p.interval_start
    HAVING sum(CASE WHEN f.channel_path IS NOT NULL THEN p.taken_rate END) >= {{ taken }} * sum(p.taken_rate)
        AND sum(p.taken_rate) > 0
)
{%- endmacro %}

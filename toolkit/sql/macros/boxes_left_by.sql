{#
Volumes that were in another box before, one row per platform, system and volume, within `left_box AS (...)`: box_now
and other_start, the last interval in which they were elsewhere. A box that no record names is not another one.
ASKED has platform, system and volume.
#}
{% macro boxes_left_by(asked) -%}
WITH named AS (
    SELECT v.platform, v.system, v.volume, v.box, v.interval_start
    FROM box_volume_interval v
    JOIN (SELECT DISTINCT platform, system, volume FROM {{ asked }}) AS c
        ON {{ equal("platform, system, volume", "c", "v") }}
    WHERE v.serial IS NOT NULL
),
last_box AS (
    SELECT platform, system, volume, max_by(box, interval_start) AS box_now FROM named GROUP BY platform, system, volume
)
SELECT n.platform, n.system, n.volume, l.box_now, max(n.interval_start) AS other_start
FROM named n
JOIN last_box l ON l.platform = n.platform AND l.system = n.system AND l.volume = n.volume
WHERE n.box <> l.box_now
GROUP BY n.platform, n.system, n.volume, l.box_now
{%- endmacro %}

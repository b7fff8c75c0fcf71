{#
LCUs whose path is slow for another reason. Behind the fragment of slow paths: gives slow_else, slow_left and
slow_explained. RELATION has platform, system, lcu and interval_start where the other cause is at work. Of an LCU in
slow_explained no run of slow intervals of that length, or as deep, is left
without them.
#}
{% macro slow_paths_within(relation, minutes, ios, share) -%}
slow_else AS (
    SELECT s.platform, s.system, s.lcu, s.local_start, s.local_end,
        CASE WHEN s.cmr_ms - s.usual_ms >= {{ share }} * s.response_ms
            THEN s.io_rate * (s.cmr_ms - s.usual_ms) * s.interval_s / 1000 ELSE 0 END AS lost
    FROM slow s
    LEFT JOIN {{ relation }} e ON {{ equal("platform, system, lcu, interval_start", "e", "s") }}
    WHERE e.lcu IS NULL
),
slow_left AS ({{ worst_run("slow_else", "platform, system, lcu") }}),
slow_explained AS (
    SELECT DISTINCT s.platform, s.system, s.lcu
    FROM slow s
    JOIN {{ relation }} e ON {{ equal("platform, system, lcu, interval_start", "e", "s") }}
    LEFT JOIN slow_left l ON l.platform = s.platform AND l.system = s.system AND l.lcu = s.lcu
    WHERE coalesce(l.longest_s, 0) < 60 * {{ minutes }} - 2
        AND coalesce(l.worst_lost, 0) < 60 * {{ minutes }} * {{ ios }}
)
{%- endmacro %}

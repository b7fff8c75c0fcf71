{#
Command response time of each channel path in rows of RELATION, which has platform, system, lcu and interval_start, one row per KEYS
and path, within `by_path AS (...)`.
#}
{% macro cmr_by_path(relation, keys) -%}
SELECT {{ keys }}, channel_path, sum(taken_rate) AS taken_rate, {{ mean_of("cmr_ms", "taken_rate") }} AS cmr_ms
FROM (
    SELECT r.*, p.channel_path, p.taken_rate, p.cmr_ms
    FROM (SELECT {{ keys }}{{ ", lcu" if "lcu" not in keys else "" }}, interval_start FROM {{ relation }}) r
    JOIN lcu_path_on_device_clock p ON {{ equal("platform, system, lcu, interval_start", "p", "r") }}
    WHERE p.taken_rate > 0
) AS timed
GROUP BY {{ keys }}, channel_path
{%- endmacro %}

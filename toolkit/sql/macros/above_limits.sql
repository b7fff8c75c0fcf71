{#
Volumes and intervals above limits of rules, with what they lost by each, s, and one more column of volume_interval; by
default above the limits as shipped.
#}
{% macro above_limits(
    more, queue_length="0.5", wait_share="0.1", hit_ratio="0.8", read_rate="1", disc_share="0.5", delayed_ratio="0.005",
    busy_ms="0.5", busy_share="0.2"
) -%}
SELECT * FROM (
    SELECT
        platform, system, interval_start, interval_s, volume,
        CASE
            WHEN queue_length >= {{ queue_length }} AND wait_ms >= {{ wait_share }} * response_ms
            THEN io_rate * interval_s * wait_ms / 1000
        END AS wait_s,
        CASE
            WHEN read_hit_ratio < {{ hit_ratio }} AND io_rate * read_ratio >= {{ read_rate }}
                AND disc_ms >= {{ disc_share }} * coalesce(service_ms, response_ms)
            THEN io_rate * interval_s * disc_ms / 1000
        END AS miss_s,
        CASE
            WHEN nvs_delay_rate > 0 AND nvs_delay_rate >= {{ delayed_ratio }} * io_rate * (1 - read_ratio)
            THEN io_rate * interval_s * disc_ms / 1000
        END AS nvs_s,
        CASE
            WHEN device_busy_ms >= {{ busy_ms }} AND device_busy_ms >= {{ busy_share }} * service_ms
            THEN io_rate * interval_s * device_busy_ms / 1000
        END AS busy_s,
        {{ more }}
    FROM volume_interval
    WHERE io_rate > 0
) AS rated
WHERE coalesce(wait_s, miss_s, nvs_s, busy_s) IS NOT NULL
{%- endmacro %}

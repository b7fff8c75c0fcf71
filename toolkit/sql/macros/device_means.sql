{#
Among common table expressions: means, rows of _device_smf74_1 with the rates and mean times that device_interval has.
#}
{% macro device_means() -%}
counted AS (
    SELECT
        d.*,
        -- more events than I/Os divide no time
        CASE WHEN measured_count <= 2 * coalesce(io_count, measured_count) + 1000 THEN measured_count END
            AS _timed_count,
        (sync_read_half_us + sync_write_half_us) / 2e3 AS _sync_ms
    FROM _device_smf74_1 d
),
{{ counted_means("counted", "_timed_count") }},
means AS (
    SELECT
        *,
        wait_ms + service_ms AS response_ms,
        io_rate * service_ms / 1000 AS in_service,
        io_rate * wait_ms / 1000 AS queue_length,
        'smf74.1' AS source,
        device AS base_device,
        allocated_samples / samples AS allocated_ratio,
        CASE
            WHEN io_count > 0
                THEN (io_rate * (wait_ms + service_ms) + coalesce(_sync_ms, 0) / nullif(interval_s, 0)) / total_io_rate
            WHEN io_count = 0 THEN _sync_ms / nullif(interval_s, 0) / nullif(total_io_rate, 0)
        END AS total_response_ms,
        CAST(NULL AS DOUBLE) AS read_ratio,
        CAST(NULL AS DOUBLE) AS mdc_avoided_rate,
        CAST(NULL AS DOUBLE) AS throttle_delay_rate,
        CAST(NULL AS BIGINT) AS paths,
        CAST(NULL AS DOUBLE) AS recovery_count
    FROM served
)
{%- endmacro %}

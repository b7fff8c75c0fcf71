{#
Among common table expressions, from rows of RELATION with the counts of _device_smf74_1, and TIMED_COUNT: the I/Os whose
times count. Gives served: the rows with their rates and means.
#}
{% macro counted_means(relation, timed_count) -%}
timed AS (
    SELECT
        c.*,
        io_count / nullif(interval_s, 0) AS io_rate,
        CASE
            WHEN ios_queue_us IS NOT NULL THEN ios_queue_us / 1e3 / nullif(io_count, 0)
            ELSE 1e3 * (queue_samples / samples) / nullif(io_count / nullif(interval_s, 0), 0)
        END AS wait_ms,
        {{ each("NAME_us / 1e3 / nullif(" ~ timed_count ~ ", 0)", "pend cmr device_busy disc conn cu_queue",
            "NAME_ms") }},
        interrupt_us / 1e3 / nullif({{ timed_count }}, 0) AS interrupt_delay_ms,
        conn_us / 1e6 / nullif(interval_s, 0) AS connect_ratio,
        (conn_us + disc_us) / 1e6 / nullif(interval_s, 0) + busy_samples / samples AS busy_ratio,
        (cmr_us + disc_us + conn_us) / 1e6 / nullif(interval_s, 0) AS open_exchanges,
        allocation_samples / samples AS allocations,
        {{ each("NAME_samples / samples", "reserved not_ready mount_pending", "NAME_ratio") }},
        {{ each("sync_NAMEs / nullif(interval_s, 0)", "read write", "sync_NAME_rate") }},
        {{ each("sync_NAME_half_us / 2e3 / nullif(sync_NAMEs, 0)", "read write", "sync_NAME_ms") }},
        {{ each("sync_NAME_bytes / nullif(interval_s, 0)", "read write", "sync_NAME_bytes_rate") }},
        CASE
            WHEN sync_reads IS NOT NULL
                THEN coalesce(sync_reads + sync_writes + sync_link_busy + sync_missed + sync_read_rejected + sync_write_rejected, 0)
        END AS _sync_requests,
        CASE WHEN io_count IS NOT NULL THEN (io_count + coalesce(sync_reads + sync_writes, 0)) / nullif(interval_s, 0) END
            AS total_io_rate
    FROM {{ relation }} c
),
served AS (
    SELECT
        t.*,
        pend_ms + disc_ms + conn_ms AS service_ms,
        CASE WHEN wait_ms IS NULL THEN NULL WHEN ios_queue_us IS NOT NULL THEN 'measured' ELSE 'sampled' END AS wait_source,
        _sync_requests / nullif(interval_s, 0) AS sync_request_rate,
        (sync_reads + sync_writes) / nullif(_sync_requests, 0) AS sync_success_ratio,
        sync_link_busy / nullif(_sync_requests, 0) AS sync_link_busy_ratio,
        sync_missed / nullif(_sync_requests, 0) AS sync_miss_ratio,
        {{ each("sync_NAME_rejected / nullif(_sync_requests, 0)", "read write", "sync_NAME_reject_ratio") }}
    FROM timed t
)
{%- endmacro %}

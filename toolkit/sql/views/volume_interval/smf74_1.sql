-- feeds: volume_interval
WITH timed AS (
    SELECT
        v.*,
        {{ counted_means() }}
    FROM _volume_smf74_1 v
),
served AS (
    SELECT
        t.*,
        {{ counted_results() }}
    FROM timed t
)
SELECT
    platform,
    system,
    interval_start,
    interval_s,
    volume,
    volser,
    device,
    device_type,
    control_unit_type,
    lcu,
    storage_group,
    exposures,
    is_hyperpav,
    io_rate,
    wait_ms,
    wait_source,
    pend_ms,
    cmr_ms,
    device_busy_ms,
    disc_ms,
    conn_ms,
    service_ms,
    wait_ms + service_ms AS response_ms,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length,
    connect_ratio,
    busy_ratio,
    reserved_ratio,
    read_ratio,
    read_hit_ratio,
    write_hit_ratio,
    nvs_delay_rate,
    subsystem,
    extent_pool,
    interrupt_delay_ms,
    cu_queue_ms,
    open_exchanges,
    allocations,
    not_ready_ratio,
    mount_pending_ratio,
    cylinders,
    is_sync_capable,
    sync_read_rate,
    sync_write_rate,
    sync_read_ms,
    sync_write_ms,
    sync_read_bytes_rate,
    sync_write_bytes_rate,
    sync_request_rate,
    sync_success_ratio,
    sync_link_busy_ratio,
    sync_miss_ratio,
    sync_read_reject_ratio,
    sync_write_reject_ratio,
    total_io_rate,
    CASE
        WHEN io_rate > 0
            THEN (io_rate * (wait_ms + service_ms) + {{ sync_ms_rate() }}) / total_io_rate
        ELSE {{ sync_ms_rate() }} / nullif(total_io_rate, 0)
    END AS total_response_ms,
    CAST(1 AS BIGINT) AS addresses,
    'smf74.1' AS source,
    utc_offset_s
FROM served

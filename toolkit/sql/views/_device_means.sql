-- stored: no
-- reach: a day
-- title: Devices of type 74.1: rates and mean times of what was counted
-- grain: one row per platform, system, interval_start, device
-- columns: platform, system, interval_start, interval_s
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits; set 0 where the record is too short
-- column online BOOLEAN []: Online at the end of the interval; an offline device has NULL measurements
-- columns: volser, device_type, control_unit_type, lcu, storage_group, role, exposures, is_hyperpav
-- column io_rate DOUBLE [per second]: Start-subchannel rate
-- columns: wait_ms
-- column wait_source VARCHAR []: How the wait was got: measured (accumulated by IOS), sampled (queue length, counted or printed), reported (response less service of a listing)
-- columns: pend_ms, cmr_ms, device_busy_ms, disc_ms, conn_ms, service_ms, response_ms, in_service, queue_length
-- columns: connect_ratio
-- column busy_ratio DOUBLE [ratio]: Connect and disconnect time over interval plus reserved samples, not divided by exposures
-- columns: reserved_ratio, source, utc_offset_s, device_class, base_device, measured_count, hyperpav_aliases
-- columns: is_partial, mount_count, allocated_ratio, alias_throttled_count, interrupt_delay_ms, cu_queue_ms
-- columns: open_exchanges
-- column allocations DOUBLE []: Mean number of allocations in effect (RMF: AVG NMBR ALLOC)
-- columns: not_ready_ratio, mount_pending_ratio, cylinders, is_sync_capable, sync_read_rate, sync_write_rate
-- columns: sync_read_ms, sync_write_ms, sync_read_bytes_rate, sync_write_bytes_rate, sync_request_rate
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio, sync_read_reject_ratio, sync_write_reject_ratio
-- columns: total_io_rate, total_response_ms
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes, as this system counts them
-- columns: mdc_avoided_rate, throttle_delay_rate, paths, recovery_count
-- column volume VARCHAR []: Volume serial; without one the device
-- columns: is_alone, file_id, place
WITH counted AS (
    SELECT
        d.*,
        -- more events than I/Os divide no time
        CASE WHEN measured_count <= 2 * coalesce(io_count, measured_count) + 1000 THEN measured_count END AS timed_count,
        (sync_read_half_us + sync_write_half_us) / 2e3 AS sync_ms
    FROM _device_smf74_1 d
),
{{ counted_means("counted") }}
SELECT
    *,
    wait_ms + service_ms AS response_ms,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length,
    'smf74.1' AS source,
    device AS base_device,
    allocated_samples / samples AS allocated_ratio,
    CASE
        WHEN io_count > 0 THEN (io_rate * (wait_ms + service_ms) + coalesce(sync_ms, 0) / nullif(interval_s, 0)) / total_io_rate
        WHEN io_count = 0 THEN sync_ms / nullif(interval_s, 0) / nullif(total_io_rate, 0)
    END AS total_response_ms,
    CAST(NULL AS DOUBLE) AS read_ratio,
    CAST(NULL AS DOUBLE) AS mdc_avoided_rate,
    CAST(NULL AS DOUBLE) AS throttle_delay_rate,
    CAST(NULL AS BIGINT) AS paths,
    CAST(NULL AS DOUBLE) AS recovery_count
FROM served

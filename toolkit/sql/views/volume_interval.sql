-- view: volume_interval
-- layer: promised
-- stored: no
-- impossible: NULL
-- reach: a day
-- title: Volumes with all their exposures: rate, wait, service and cache behaviour, interval by interval
-- grain: one row per platform, system, interval_start, volume
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column volume VARCHAR []: Volume serial, else the base device, on z/VM in the four digits of CP = coalesce(volser, base_device, device)
-- column volser VARCHAR []: Volume serial; NULL if none
-- column device VARCHAR []: The base (or single) device
-- column device_type VARCHAR []: Device model
-- column control_unit_type VARCHAR []: Control unit model
-- column lcu VARCHAR []: Logical control unit of the base
-- column storage_group VARCHAR []: SMS storage group
-- column exposures DOUBLE []: Base plus aliases = the device's own number where one row stands for all, else how many addresses of base and aliases there are
-- column is_hyperpav BOOLEAN []: HyperPAV base
-- column io_rate DOUBLE [per second]: I/O rate of all addresses = sum of io_rate; NULL where the rate of one that has times can't be read
-- column wait_ms DOUBLE [milliseconds]: Mean wait in the base's queue = 1000 * sum of queue_length / sum of io_rate; the base's own where its queue_length is unknown
-- column wait_source VARCHAR []: measured, sampled or reported
-- column pend_ms DOUBLE [milliseconds]: Mean pending time, weighted by rate
-- column cmr_ms DOUBLE [milliseconds]: Mean initial command response time, weighted by rate
-- column device_busy_ms DOUBLE [milliseconds]: Mean device busy delay, weighted by rate
-- column disc_ms DOUBLE [milliseconds]: Mean disconnect time, weighted by rate
-- column conn_ms DOUBLE [milliseconds]: Mean connect time, weighted by rate
-- column service_ms DOUBLE [milliseconds]: Mean service time, weighted by rate
-- column response_ms DOUBLE [milliseconds]: Wait and service together = wait_ms + service_ms
-- column in_service DOUBLE []: Mean number of I/Os in progress = io_rate * service_ms / 1000
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the host = io_rate * wait_ms / 1000
-- column connect_ratio DOUBLE [ratio]: Connect time of all exposures over interval
-- column busy_ratio DOUBLE [ratio]: Busy time of all exposures over interval
-- column reserved_ratio DOUBLE [ratio 0..1]: Share of samples that found the base reserved
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes, from the cache statistics; else the device rows' read_ratio, weighted by rate
-- column read_hit_ratio DOUBLE [ratio 0..1]: Read hits over reads, from the cache statistics
-- column write_hit_ratio DOUBLE [ratio 0..1]: Write hits over writes, from the cache statistics
-- column nvs_delay_rate DOUBLE [per second]: Fast writes delayed for lack of NVS, by all systems that share the volume
-- column subsystem VARCHAR []: Subsystem id (SSID), from the cache statistics
-- column extent_pool VARCHAR []: Extent pool of the box that the volume lives in, 4 hex digits, from the cache statistics
-- column interrupt_delay_ms DOUBLE [milliseconds]: Mean delay of the interrupt at the end of an I/O, weighted by rate
-- column cu_queue_ms DOUBLE [milliseconds]: Mean time queued in the control unit, weighted by rate
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit = sum of open_exchanges
-- column allocations DOUBLE []: Mean number of allocations in effect on the base
-- column not_ready_ratio DOUBLE [ratio 0..1]: Share of samples that found the base not ready
-- column mount_pending_ratio DOUBLE [ratio 0..1]: Share of samples with a mount pending
-- column cylinders BIGINT []: Cylinders of the volume
-- column is_sync_capable BOOLEAN []: Capable of synchronous I/O (zHyperLink)
-- column sync_read_rate DOUBLE [per second]: Synchronous (zHyperLink) reads that succeeded = sum of sync_read_rate
-- column sync_write_rate DOUBLE [per second]: Synchronous (zHyperLink) writes that succeeded = sum of sync_write_rate
-- column sync_read_ms DOUBLE [milliseconds]: Mean time of a synchronous read, weighted by sync_read_rate
-- column sync_write_ms DOUBLE [milliseconds]: Mean time of a synchronous write, weighted by sync_write_rate
-- column sync_read_bytes_rate DOUBLE [bytes per second]: Bytes read synchronously
-- column sync_write_bytes_rate DOUBLE [bytes per second]: Bytes written synchronously
-- column sync_request_rate DOUBLE [per second]: Synchronous requests of every outcome = sum of sync_request_rate
-- column sync_success_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that succeeded
-- column sync_link_busy_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that met a busy link
-- column sync_miss_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that missed the cache, or whose data could not be stored at once
-- column sync_read_reject_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that were reads and timed out or were rejected
-- column sync_write_reject_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that were writes and timed out or were rejected
-- column total_io_rate DOUBLE [per second]: Normal and synchronous I/Os together = sum of total_io_rate
-- column total_response_ms DOUBLE [milliseconds]: Mean response of normal and synchronous I/Os together = (io_rate * response_ms + sync_read_rate * sync_read_ms + sync_write_rate * sync_write_ms) / total_io_rate
-- column mdc_avoided_rate DOUBLE [per second]: I/Os that z/VM's minidisk cache made unnecessary = sum of mdc_avoided_rate
-- column throttle_delay_rate DOUBLE [per second]: I/Os that z/VM delayed because of SET THROTTLE = sum of throttle_delay_rate
-- column addresses BIGINT []: Device rows that make up the volume
-- column idle_aliases BIGINT []: Aliases of its own that did no I/O; NULL where it has none, or where the source does not separate them
-- column source VARCHAR []: Record type or report the rows came from
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- note: DASD only (and rows whose class the source does not say); devices offline at the end of the interval, and aliases whose base and volume are unknown, are left out.
-- note: Cache statistics match by device number on the system that gathered them, by volume serial on every other, in intervals whose middles overlap.
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
    CAST(NULL AS DOUBLE) AS mdc_avoided_rate,
    CAST(NULL AS DOUBLE) AS throttle_delay_rate,
    CAST(1 AS BIGINT) AS addresses,
    CAST(NULL AS BIGINT) AS idle_aliases,
    'smf74.1' AS source,
    utc_offset_s
FROM served
UNION ALL
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
    response_ms,
    in_service,
    queue_length,
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
    total_response_ms,
    mdc_avoided_rate,
    throttle_delay_rate,
    addresses,
    idle_aliases,
    source,
    utc_offset_s
FROM _volume_summed

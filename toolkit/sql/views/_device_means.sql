-- view: _device_means
-- layer: derived
-- stored: no
-- reach: a day
-- title: Devices of type 74.1: rates and mean times of what was counted
-- grain: one row per platform, system, interval_start, device
-- column platform VARCHAR []: Operating system that measured: z/OS or z/VM
-- column system VARCHAR []: System id
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits; set 0 where the record is too short
-- column online BOOLEAN []: Online at the end of the interval; an offline device has NULL measurements
-- column volser VARCHAR []: Volume serial; NULL if none
-- column device_type VARCHAR []: Device model
-- column control_unit_type VARCHAR []: Control unit model
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column storage_group VARCHAR []: SMS storage group; NULL if none
-- column role VARCHAR []: base (a parallel access volume), alias, single; unknown where the source does not say
-- column exposures DOUBLE []: Base plus aliases usable at once; HyperPAV: average in use
-- column is_hyperpav BOOLEAN []: HyperPAV base
-- column io_rate DOUBLE [per second]: Start-subchannel rate
-- column wait_ms DOUBLE [milliseconds]: IOSQ time: mean wait in the host for a free exposure
-- column wait_source VARCHAR []: How the wait was got: measured (accumulated by IOS), sampled (queue length, counted or printed), reported (response less service of a listing)
-- column pend_ms DOUBLE [milliseconds]: Mean pending time
-- column cmr_ms DOUBLE [milliseconds]: Mean initial command response time, a part of pend
-- column device_busy_ms DOUBLE [milliseconds]: Mean device busy delay, a part of pend
-- column disc_ms DOUBLE [milliseconds]: Mean disconnect time
-- column conn_ms DOUBLE [milliseconds]: Mean connect time
-- column service_ms DOUBLE [milliseconds]: Pend, disconnect and connect together = pend_ms + disc_ms + conn_ms
-- column response_ms DOUBLE [milliseconds]: Wait and service together = wait_ms + service_ms
-- column in_service DOUBLE []: Mean number of I/Os in progress (Little's law) = io_rate * service_ms / 1000
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the host (Little's law) = io_rate * wait_ms / 1000
-- column connect_ratio DOUBLE [ratio]: Connect time over interval, not divided by exposures (may pass 1 with aliases)
-- column busy_ratio DOUBLE [ratio]: Connect and disconnect time over interval plus reserved samples, not divided by exposures
-- column reserved_ratio DOUBLE [ratio 0..1]: Share of samples that found the device reserved
-- column source VARCHAR []: Record type or report the row came from
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- column device_class VARCHAR []: dasd, tape, communication, graphics, unit_record, character_reader; other: a type in none of these classes; NULL where the source does not say
-- column base_device VARCHAR []: The base an alias belongs to; the device itself for base and single; NULL where unknown
-- column measured_count BIGINT [events in the interval]: I/Os whose time components were stored, divisor of the times; NULL from listings
-- column hyperpav_aliases INTEGER []: HyperPAV aliases configured for the device's logical subsystem
-- column is_partial BOOLEAN []: Only partial statistics for this interval
-- column mount_count BIGINT [events in the interval]: Tape: mounts
-- column allocated_ratio DOUBLE [ratio 0..1]: Share of samples that found the device allocated
-- column alias_throttled_count BIGINT [events in the interval]: Times I/Os were delayed on purpose by PAV alias throttling; NULL from listings and older releases
-- column interrupt_delay_ms DOUBLE [milliseconds]: Mean delay of the interrupt at the end of an I/O; RMF counts it in no other time
-- column cu_queue_ms DOUBLE [milliseconds]: Mean time queued in the control unit
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit: command response, disconnect and connect time over interval
-- column allocations DOUBLE []: Mean number of allocations in effect (RMF: AVG NMBR ALLOC)
-- column not_ready_ratio DOUBLE [ratio 0..1]: Share of samples that found the device not ready
-- column mount_pending_ratio DOUBLE [ratio 0..1]: Share of samples with a mount pending
-- column cylinders BIGINT []: Cylinders of the volume, as the system recorded or the listing printed them
-- column is_sync_capable BOOLEAN []: Capable of synchronous I/O (zHyperLink), reads or writes
-- column sync_read_rate DOUBLE [per second]: Synchronous (zHyperLink) reads that succeeded; not a part of io_rate
-- column sync_write_rate DOUBLE [per second]: Synchronous (zHyperLink) writes that succeeded; not a part of io_rate
-- column sync_read_ms DOUBLE [milliseconds]: Mean time of a synchronous read that succeeded
-- column sync_write_ms DOUBLE [milliseconds]: Mean time of a synchronous write that succeeded
-- column sync_read_bytes_rate DOUBLE [bytes per second]: Bytes read synchronously
-- column sync_write_bytes_rate DOUBLE [bytes per second]: Bytes written synchronously
-- column sync_request_rate DOUBLE [per second]: Synchronous requests of every outcome; those that fail are done again as a normal I/O
-- column sync_success_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that succeeded
-- column sync_link_busy_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that met a busy link
-- column sync_miss_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that missed the cache, or whose data could not be stored at once
-- column sync_read_reject_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that were reads and timed out or were rejected for other reasons
-- column sync_write_reject_ratio DOUBLE [ratio 0..1]: Share of the synchronous requests that were writes and timed out or were rejected for other reasons
-- column total_io_rate DOUBLE [per second]: Start-subchannel rate and synchronous I/Os together; io_rate where the source knows no synchronous I/O
-- column total_response_ms DOUBLE [milliseconds]: Mean response of normal and synchronous I/Os together
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes, as this system counts them
-- column mdc_avoided_rate DOUBLE [per second]: I/Os that z/VM's minidisk cache made unnecessary; not a part of io_rate
-- column throttle_delay_rate DOUBLE [per second]: I/Os that z/VM delayed because of SET THROTTLE
-- column volume VARCHAR []: Volume serial, else the device
-- column is_alone BOOLEAN []: As in _device_smf74_1
-- column file_id VARCHAR []: The input
-- column place BIGINT []: Offset of the record in it
WITH counted AS (
    SELECT
        d.*,
        -- more events than I/Os divide no time
        CASE WHEN measured_count <= 2 * coalesce(io_count, measured_count) + 1000 THEN measured_count END AS timed_count,
        (sync_read_half_us + sync_write_half_us) / 2e3 AS sync_ms
    FROM _device_smf74_1 d
),
timed AS (
    SELECT
        c.*,
        {{ counted_means() }}
    FROM counted c
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
    device,
    online,
    volser,
    device_type,
    control_unit_type,
    lcu,
    storage_group,
    role,
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
    'smf74.1' AS source,
    utc_offset_s,
    device_class,
    device AS base_device,
    measured_count,
    hyperpav_aliases,
    is_partial,
    mount_count,
    allocated_samples / samples AS allocated_ratio,
    alias_throttled_count,
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
        WHEN io_count > 0 THEN (io_rate * (wait_ms + service_ms) + coalesce(sync_ms, 0) / nullif(interval_s, 0)) / total_io_rate
        WHEN io_count = 0 THEN sync_ms / nullif(interval_s, 0) / nullif(total_io_rate, 0)
    END AS total_response_ms,
    CAST(NULL AS DOUBLE) AS read_ratio,
    CAST(NULL AS DOUBLE) AS mdc_avoided_rate,
    CAST(NULL AS DOUBLE) AS throttle_delay_rate,
    volume,
    is_alone,
    file_id,
    place
FROM served

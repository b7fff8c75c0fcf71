-- view: _volume_smf74_1
-- layer: derived
-- reach: a day
-- title: Volumes of one address that type 74.1 recorded: counts and summed times, with the cache statistics of their interval
-- grain: one row per platform, system, interval_start, volume
-- column platform VARCHAR []: Operating system that measured: z/OS
-- column system VARCHAR []: System id = SMF74SID
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits
-- column volume VARCHAR []: Volume serial, else the device
-- column volser VARCHAR []: Volume serial; NULL if none
-- column device_type VARCHAR []: Device model
-- column control_unit_type VARCHAR []: Control unit model
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column storage_group VARCHAR []: SMS storage group; NULL if none
-- column exposures DOUBLE []: Base plus aliases usable at once; HyperPAV: average in use
-- column is_hyperpav BOOLEAN []: HyperPAV base
-- column is_sync_capable BOOLEAN []: Capable of synchronous I/O (zHyperLink)
-- column cylinders BIGINT []: Cylinders of the volume
-- column samples BIGINT []: Samples of the interval (SMF74SAM); NULL where the device was not measured
-- column io_count BIGINT [events in the interval]: Start subchannels = SMF74SSC
-- column ios_queue_us DOUBLE [microseconds]: Time in the IOS queue, summed = SMF74IOS
-- column queue_samples BIGINT []: Requests found in the IOS queue, summed over samples = SMF74QUE
-- column pend_us BIGINT [microseconds]: Pending time, summed = SMF74PEN * 128
-- column cmr_us BIGINT [microseconds]: Initial command response time, summed = SMF74CMR * 128
-- column device_busy_us BIGINT [microseconds]: Device busy delay, summed = SMF74DVB * 128
-- column disc_us BIGINT [microseconds]: Disconnect time, summed = SMF74DIS * 128
-- column conn_us BIGINT [microseconds]: Connect time, summed = SMF74CNN * 128
-- column cu_queue_us BIGINT [microseconds]: Control unit queue time, summed = SMF74CUQ * 128
-- column interrupt_us BIGINT [microseconds]: Interrupt delay, summed = SMF74IDT * 128
-- column busy_samples BIGINT []: Samples that found the device reserved but idle = SMF74UTL
-- column reserved_samples BIGINT []: Samples that found the device reserved = SMF74RSV
-- column allocation_samples BIGINT []: Allocations in effect, summed over samples = SMF74NDA
-- column not_ready_samples BIGINT []: Samples that found the device not ready = SMF74NRD
-- column mount_pending_samples BIGINT []: Samples with a mount pending = SMF74MTP
-- column sync_reads DOUBLE [events in the interval]: Synchronous reads that succeeded = SMF74SQR
-- column sync_writes DOUBLE [events in the interval]: Synchronous writes that succeeded = SMF74SQW
-- column sync_read_half_us DOUBLE []: Time of these reads, summed, in units of 0.5 microseconds = SMF74SPR
-- column sync_write_half_us DOUBLE []: Time of these writes, summed, in units of 0.5 microseconds = SMF74SPW
-- column sync_read_bytes DOUBLE [bytes]: Bytes read synchronously = SMF74SBR
-- column sync_write_bytes DOUBLE [bytes]: Bytes written synchronously = SMF74SBW
-- column sync_link_busy DOUBLE [events in the interval]: Synchronous requests that met a busy link = SMF74SLBR + SMF74SLBW
-- column sync_missed DOUBLE [events in the interval]: Synchronous requests that missed the cache, or found no room = SMF74SCMR + SMF74SNIS
-- column sync_read_rejected DOUBLE [events in the interval]: Synchronous reads that timed out or were rejected = SMF74STOR + SMF74SOR
-- column sync_write_rejected DOUBLE [events in the interval]: Synchronous writes that timed out or were rejected = SMF74STOW + SMF74SOW
-- column timed_count BIGINT [events in the interval]: I/Os whose times count; NULL where the volume did no I/O, or more times were stored than I/Os started
-- column read_ratio DOUBLE [ratio 0..1]: Reads over reads and writes, from the cache statistics; else the device rows' read_ratio, weighted by rate
-- column read_hit_ratio DOUBLE [ratio 0..1]: Read hits over reads, from the cache statistics
-- column write_hit_ratio DOUBLE [ratio 0..1]: Write hits over writes, from the cache statistics
-- column nvs_delay_rate DOUBLE [per second]: Fast writes delayed for lack of NVS, by all systems that share the volume
-- column subsystem VARCHAR []: Subsystem id (SSID), from the cache statistics
-- column extent_pool VARCHAR []: Extent pool of the box that the volume lives in, 4 hex digits, from the cache statistics
SELECT
    d.platform,
    d.system,
    d.interval_start,
    d.interval_s,
    d.utc_offset_s,
    d.device,
    d.volume,
    d.volser,
    d.device_type,
    d.control_unit_type,
    d.lcu,
    d.storage_group,
    d.exposures,
    d.is_hyperpav,
    d.is_sync_capable,
    d.cylinders,
    d.samples,
    d.io_count,
    d.ios_queue_us,
    d.queue_samples,
    d.pend_us,
    d.cmr_us,
    d.device_busy_us,
    d.disc_us,
    d.conn_us,
    d.cu_queue_us,
    d.interrupt_us,
    d.busy_samples,
    d.reserved_samples,
    d.allocation_samples,
    d.not_ready_samples,
    d.mount_pending_samples,
    d.sync_reads,
    d.sync_writes,
    d.sync_read_half_us,
    d.sync_write_half_us,
    d.sync_read_bytes,
    d.sync_write_bytes,
    d.sync_link_busy,
    d.sync_missed,
    d.sync_read_rejected,
    d.sync_write_rejected,
    CASE WHEN d.io_count > 0 AND d.measured_count <= 2 * d.io_count + 1000 THEN d.measured_count END AS timed_count,
    CASE WHEN own.device IS NULL THEN other.read_ratio ELSE own.read_ratio END AS read_ratio,
    CASE WHEN own.device IS NULL THEN other.read_hit_ratio ELSE own.read_hit_ratio END AS read_hit_ratio,
    CASE WHEN own.device IS NULL THEN other.write_hit_ratio ELSE own.write_hit_ratio END AS write_hit_ratio,
    CASE WHEN own.device IS NULL THEN other.nvs_delay_rate ELSE own.nvs_delay_rate END AS nvs_delay_rate,
    CASE WHEN own.device IS NULL THEN other.subsystem ELSE own.subsystem END AS subsystem,
    CASE WHEN own.device IS NULL THEN other.extent_pool ELSE own.extent_pool END AS extent_pool
FROM _device_smf74_1 d
LEFT JOIN device_cache own
    ON own.platform = d.platform
    AND own.system = d.system
    AND own.interval_start = d.interval_start
    AND own.device = d.device
LEFT JOIN volume_cache other
    ON other.platform = d.platform
    AND other.system = d.system
    AND other.interval_start = d.interval_start
    AND other.volser = d.volser
WHERE d.is_alone AND coalesce(d.device_class, 'dasd') = 'dasd' AND coalesce(d.online, TRUE)

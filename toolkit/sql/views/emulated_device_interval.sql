-- title: z/VM's emulated disks (EDEVICE on SCSI): transfers and bytes, interval by interval
-- grain: one row per system, interval_start, device
-- column platform VARCHAR []: Operating system that measured = constant z/VM
-- column system VARCHAR []: System id = MTRSYS_SYSTMID
-- column interval_start TIMESTAMP [UTC]: Time of the device's sample before
-- column interval_s DOUBLE [s]: Time since the device's sample before
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits = 0 and IODSZI_RDEVDEV (high)
-- column transfer_rate DOUBLE [per second]: SCSI transfers = d IODSZI_DSKXFERS / s (low)
-- column read_bytes_rate DOUBLE [bytes per second]: Bytes read = d IODSZI_DSKBLKSR * IODSZI_DSKBLKSZ / s (low)
-- column write_bytes_rate DOUBLE [bytes per second]: Bytes written = d IODSZI_DSKBLKSW * IODSZI_DSKBLKSZ / s (low)
-- column block_bytes INTEGER [bytes]: Block size = IODSZI_DSKBLKSZ (high)
-- column utc_offset_s INTEGER [s]: Local time minus UTC when the interval began = MTRSYS_SYSZONE (medium)
-- column source VARCHAR []: Record type the row came from = constant mon.d6r24
-- note: d is the difference of two samples as in device_interval. That the counters are cumulative is inferred from those of D6R3.
-- note: If there are more than a million transfers or ten million blocks per second, or the block size changed, the counters were reset and the rates are NULL.
-- note: There is no response time, because the units of the record's times are not known. D6R3 has one, see device_interval. The paths are in mon_d6r24.
WITH sample AS (
    SELECT
        {{ since_sample_before() }},
        IODSZI_RDEVDEV, IODSZI_DSKBLKSZ,
        IODSZI_DSKBLKSZ = lag(IODSZI_DSKBLKSZ) OVER w AS is_same_size,
        {{ increase_of("IODSZI_DSKXFERS") }} AS transfers,
        {{ increase_of("IODSZI_DSKBLKSR") }} AS blocks_read,
        {{ increase_of("IODSZI_DSKBLKSW") }} AS blocks_written
    {{ monitor_samples("mon_d6r24", "IODSZI_RDEVDEV") }}
),
valid AS (
    SELECT
        s.*,
        CASE
            WHEN is_same_size AND transfers <= 1000000 * interval_s
                AND blocks_read + blocks_written <= 10000000 * interval_s
                THEN interval_s
        END AS valid_s
    FROM sample s
    WHERE interval_s > 0
)
SELECT
    *,
    'z/VM' AS platform,
    '0' || IODSZI_RDEVDEV AS device,
    transfers / valid_s AS transfer_rate,
    blocks_read * nullif(IODSZI_DSKBLKSZ, 0) / valid_s AS read_bytes_rate,
    blocks_written * nullif(IODSZI_DSKBLKSZ, 0) / valid_s AS write_bytes_rate,
    CAST(nullif(IODSZI_DSKBLKSZ, 0) AS INTEGER) AS block_bytes,
    'mon.d6r24' AS source
FROM valid

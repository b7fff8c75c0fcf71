-- reach: a day
-- title: Devices of type 74.1 as recorded: counts and summed times, without repeats and without what a flag voids
-- grain: one row per platform, system, interval_start, device, volume
-- columns: platform
-- column system VARCHAR []: System id = SMF74SID
-- columns: interval_start, interval_s, utc_offset_s, device
-- column volume VARCHAR []: Volume serial; without one the device
-- columns: volser, is_alone, device_class, online, device_type, control_unit_type, lcu, storage_group, role, exposures
-- columns: is_hyperpav, hyperpav_aliases, is_partial, is_sync_capable, cylinders, samples
-- column io_count BIGINT [events in the interval]: Start subchannels = SMF74SSC
-- column measured_count BIGINT [events in the interval]: I/Os whose times were stored = SMF74MEC
-- columns: ios_queue_us, queue_samples, pend_us, cmr_us, device_busy_us, disc_us, conn_us, cu_queue_us, interrupt_us
-- columns: busy_samples, reserved_samples
-- column allocated_samples BIGINT []: Samples that found the device allocated = SMF74ALC
-- columns: allocation_samples, not_ready_samples, mount_pending_samples
-- column mount_count BIGINT [events in the interval]: Tape: mounts = SMF74MTC
-- column alias_throttled_count BIGINT [events in the interval]: I/Os delayed by alias throttling = SMF74ATD
-- columns: sync_reads, sync_writes, sync_read_half_us, sync_write_half_us, sync_read_bytes, sync_write_bytes
-- columns: sync_link_busy, sync_missed, sync_read_rejected, sync_write_rejected, file_id, place
-- note: For vendor fields and the flags that void them see the notes of device_interval.
WITH control AS (
    SELECT
        record_id,
        max(SMF74SUB) AS class_code,
        bool_or(SMF74ENF_FCM) AS cmr_measured,
        bool_or(SMF74ENF_FID) AS interrupt_measured
    FROM smf74_1_device_control
    GROUP BY record_id
),
-- the same interval in two records is one measurement; only ranges of devices that overlap are compared
span AS (
    SELECT
        record_id, coalesce(SMF74SCS, 0) AS subchannel_set, system, interval_start, interval_s,
        min(SMF74NUM) AS first_device, max(SMF74NUM) AS last_device
    FROM smf74_1_device_data
    GROUP BY record_id, coalesce(SMF74SCS, 0), system, interval_start, interval_s
),
followed AS (
    SELECT
        s.*,
        max(last_device) OVER (
            PARTITION BY system, interval_start, interval_s, subchannel_set
            ORDER BY first_device, record_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS repeated_device
    FROM span s
),
numbered AS (
    SELECT
        d.system, d.interval_start, d.record_id, d.section_index,
        row_number() OVER (
            PARTITION BY d.system, d.interval_start, d.interval_s, coalesce(d.SMF74SCS, 0), d.SMF74NUM
            ORDER BY d.record_id, d.section_index
        ) AS turn
    FROM smf74_1_device_data d
    JOIN (SELECT DISTINCT system, interval_start, interval_s FROM followed WHERE first_device <= repeated_device) w
        ON w.system = d.system AND w.interval_start = d.interval_start AND w.interval_s = d.interval_s
),
repeated AS (
    SELECT * FROM numbered WHERE turn > 1
),
-- volumes with several devices, or one that was recorded twice
several AS (
    SELECT system, interval_start, volume
    FROM (
        SELECT
            system, interval_start,
            coalesce(nullif(SMF74SER, ''), CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM) AS volume
        FROM smf74_1_device_data
    ) AS named
    GROUP BY system, interval_start, volume
    HAVING count(*) > 1
),
listed AS (
    SELECT system FROM rmf_dasd_device
    UNION
    SELECT system FROM rmf_sync_device
),
flagged AS (
    SELECT
        d.*,
        CAST(coalesce(d.SMF74SCS, 0) AS STRING) || d.SMF74NUM AS device,
        s.volume IS NULL AND l.system IS NULL AS is_alone,
        coalesce(d.SMF74CNF_QLI, FALSE) AS queue_void,
        c.class_code,
        coalesce(d.SMF74CNF_STA, FALSE) AND NOT coalesce(d.SMF74CNF_VAC, FALSE) AS measured,
        NOT coalesce(d.SMF74CNF_CMB, FALSE) AS counted,
        NOT coalesce(d.SMF74CNF_CMB OR d.SMF74CNX_NTF, FALSE) AS timed,
        NOT coalesce(d.SMF74CNX_DDT, FALSE) AS disc_valid,
        NOT coalesce(d.SMF74CNX_CNI, FALSE) AS conn_valid,
        coalesce(c.cmr_measured, FALSE) AS cmr_valid,
        coalesce(c.interrupt_measured, FALSE) AS interrupt_valid,
        NOT coalesce(
            d.SMF74SSC > 100000 * nullif(d.interval_s, 0)
            OR greatest(d.SMF74PEN, d.SMF74DIS, d.SMF74CNN) * 0.000128e0 > 260 * nullif(d.interval_s, 0)
            OR greatest(d.SMF74DIS, d.SMF74CNN) > 78125 * nullif(d.SMF74MEC, 0),
            FALSE
        ) AS possible,
        coalesce(d.SMF74CNX_PAV, FALSE) OR coalesce(d.SMF74CNX_HPV, FALSE) AS is_base
    FROM smf74_1_device_data d
    LEFT JOIN control c ON c.record_id = d.record_id
    -- system and start are the record's: repeated here, a filter on them reaches the files
    LEFT JOIN repeated r ON {{ equal("record_id, section_index, system, interval_start", "r", "d") }}
    {{ join_section("d", "'device'", "CAST(coalesce(d.SMF74SCS, 0) AS STRING) || d.SMF74NUM") }}
    LEFT JOIN several s
        ON s.system = d.system AND s.interval_start = d.interval_start
        AND s.volume = coalesce(nullif(d.SMF74SER, ''), CAST(coalesce(d.SMF74SCS, 0) AS STRING) || d.SMF74NUM)
    LEFT JOIN listed l ON l.system = d.system
    WHERE r.record_id IS NULL AND x.subject IS NULL
)
SELECT
    'z/OS' AS platform,
    system, interval_start, interval_s, utc_offset_s, device,
    coalesce(nullif(SMF74SER, ''), device) AS volume,
    nullif(SMF74SER, '') AS volser,
    is_alone,
    CASE right(class_code, 2)
        WHEN '20' THEN 'dasd'
        WHEN '80' THEN 'tape'
        WHEN '40' THEN 'communication'
        WHEN '10' THEN 'graphics'
        WHEN '08' THEN 'unit_record'
        WHEN '04' THEN 'character_reader'
    END AS device_class,
    SMF74CNF_STA AS online,
    nullif(SMF74DEV, '') AS device_type,
    nullif(SMF74CU, '') AS control_unit_type,
    CASE WHEN NOT coalesce(SMF74CNF_LCD, FALSE) THEN SMF74LCU END AS lcu,
    nullif(SMF74SGN, '') AS storage_group,
    CASE WHEN SMF74CNX IS NULL THEN 'unknown' WHEN is_base THEN 'base' ELSE 'single' END AS role,
    CAST(
        CASE
            WHEN NOT measured OR SMF74CNX IS NULL THEN NULL
            WHEN SMF74CNX_HPV THEN nullif(SMF74NUX, 0) / nullif(SMF74PSM, 0)
            WHEN is_base THEN nullif(SMF74NUX, 0)
            ELSE 1
        END AS DOUBLE
    ) AS exposures,
    SMF74CNX_HPV AS is_hyperpav,
    CAST(CASE WHEN SMF74CNX_HPV THEN SMF74HPC END AS INTEGER) AS hyperpav_aliases,
    SMF74CNF_PAR AS is_partial,
    SMF74CN2_SIR OR SMF74CN2_SIW AS is_sync_capable,
    CAST(nullif(SMF74CAP, 0) AS BIGINT) AS cylinders,
    CAST(CASE WHEN measured THEN nullif(samples, 0) END AS BIGINT) AS samples,
    CAST(CASE WHEN measured AND counted AND possible THEN SMF74SSC END AS BIGINT) AS io_count,
    CAST(CASE WHEN measured AND counted AND possible THEN SMF74MEC END AS BIGINT) AS measured_count,
    CASE WHEN measured AND counted AND possible THEN SMF74IOS END AS ios_queue_us,
    CAST(CASE WHEN measured AND NOT queue_void THEN SMF74QUE END AS BIGINT) AS queue_samples,
    CAST(CASE WHEN measured AND timed AND possible THEN SMF74PEN * 128 END AS BIGINT) AS pend_us,
    CAST(CASE WHEN measured AND timed AND possible AND cmr_valid THEN SMF74CMR * 128 END AS BIGINT) AS cmr_us,
    CAST(CASE WHEN measured AND timed AND possible THEN SMF74DVB * 128 END AS BIGINT) AS device_busy_us,
    CAST(CASE WHEN measured AND timed AND possible AND disc_valid THEN SMF74DIS * 128 END AS BIGINT) AS disc_us,
    CAST(CASE WHEN measured AND timed AND possible AND conn_valid THEN SMF74CNN * 128 END AS BIGINT) AS conn_us,
    CAST(CASE WHEN measured AND timed AND possible THEN SMF74CUQ * 128 END AS BIGINT) AS cu_queue_us,
    CAST(CASE WHEN measured AND timed AND possible AND interrupt_valid THEN SMF74IDT * 128 END AS BIGINT) AS interrupt_us,
    CAST(CASE WHEN measured AND SMF74UTL <= samples THEN SMF74UTL END AS BIGINT) AS busy_samples,
    CAST(CASE WHEN measured AND SMF74RSV <= samples THEN SMF74RSV END AS BIGINT) AS reserved_samples,
    CAST(CASE WHEN measured AND SMF74ALC <= samples THEN SMF74ALC END AS BIGINT) AS allocated_samples,
    CAST(CASE WHEN measured THEN SMF74NDA END AS BIGINT) AS allocation_samples,
    CAST(CASE WHEN measured AND SMF74NRD <= samples THEN SMF74NRD END AS BIGINT) AS not_ready_samples,
    CAST(CASE WHEN measured AND SMF74MTP <= samples THEN SMF74MTP END AS BIGINT) AS mount_pending_samples,
    CAST(CASE WHEN measured THEN SMF74MTC END AS BIGINT) AS mount_count,
    CAST(
        CASE WHEN measured AND counted AND possible AND SMF74ATD <= 100000 * interval_s THEN SMF74ATD END AS BIGINT
    ) AS alias_throttled_count,
    CASE WHEN measured THEN SMF74SQR END AS sync_reads,
    CASE WHEN measured THEN SMF74SQW END AS sync_writes,
    CASE WHEN measured THEN SMF74SPR END AS sync_read_half_us,
    CASE WHEN measured THEN SMF74SPW END AS sync_write_half_us,
    CASE WHEN measured THEN SMF74SBR END AS sync_read_bytes,
    CASE WHEN measured THEN SMF74SBW END AS sync_write_bytes,
    SMF74SLBR + SMF74SLBW AS sync_link_busy,
    SMF74SCMR + SMF74SNIS AS sync_missed,
    SMF74STOR + SMF74SOR AS sync_read_rejected,
    SMF74STOW + SMF74SOW AS sync_write_rejected,
    file_id, record_offset AS place
FROM flagged

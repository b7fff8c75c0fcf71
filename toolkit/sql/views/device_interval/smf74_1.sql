-- feeds: device_interval
-- source: smf74.1
-- formula platform: constant z/OS (high)
-- formula system: SMF74SID (high)
-- formula interval_start: SMF74DAT + SMF74IST - SMF74LGO (high)
-- formula interval_s: SMF74INT (high)
-- formula device: SMF74SCS (0 if the section is too short) and SMF74NUM (high)
-- formula online: SMF74CNF bit STA (high)
-- formula volser: SMF74SER (high)
-- formula device_type: SMF74DEV (high)
-- formula control_unit_type: SMF74CU (high)
-- formula lcu: SMF74LCU; NULL if SMF74CNF bit LCD (high)
-- formula storage_group: SMF74SGN (high)
-- formula role: base if SMF74CNX bit PAV or HPV, else single; unknown if the section is too short for SMF74CNX (high)
-- formula exposures: SMF74NUX (0 is no count: a base counts itself); SMF74NUX / SMF74PSM if SMF74CNX bit HPV; 1 without PAV. NUX / PSM counts the base: RMF prints 1.0H for devices that hardly do an I/O (medium)
-- formula is_hyperpav: SMF74CNX bit HPV (high)
-- formula io_rate: SMF74SSC / SMF74INT (high)
-- formula wait_ms: SMF74IOS / SMF74SSC if the section holds SMF74IOS, else (SMF74QUE / SMF74SAM) / (SMF74SSC / SMF74INT), in ms (medium)
-- formula wait_source: measured (SMF74IOS) or sampled (SMF74QUE) (high)
-- formula pend_ms: SMF74PEN * 0.128 / SMF74MEC (high)
-- formula cmr_ms: SMF74CMR * 0.128 / SMF74MEC if SMF74ENF bit FCM (high)
-- formula device_busy_ms: SMF74DVB * 0.128 / SMF74MEC (high)
-- formula disc_ms: SMF74DIS * 0.128 / SMF74MEC; NULL if SMF74CNX bit DDT (high)
-- formula conn_ms: SMF74CNN * 0.128 / SMF74MEC; NULL if SMF74CNX bit CNI (high)
-- formula connect_ratio: SMF74CNN * 0.000128 / SMF74INT (medium)
-- formula busy_ratio: (SMF74CNN + SMF74DIS) * 0.000128 / SMF74INT + SMF74UTL / SMF74SAM (medium)
-- formula reserved_ratio: SMF74RSV / SMF74SAM (high)
-- formula utc_offset_s: SMF74LGO (high)
-- formula device_class: right byte of SMF74SUB: 20 DASD, 80 tape, 40 communication, 10 graphics, 08 unit record, 04 character reader (high)
-- formula base_device: the device itself: z/OS counts aliases with their base (high)
-- formula measured_count: SMF74MEC (high)
-- formula hyperpav_aliases: SMF74HPC (high)
-- formula is_partial: SMF74CNF bit PAR (high)
-- formula mount_count: SMF74MTC (high)
-- formula allocated_ratio: SMF74ALC / SMF74SAM (medium)
-- formula alias_throttled_count: SMF74ATD; NULL above 100 000 per second (high)
-- formula interrupt_delay_ms: SMF74IDT * 0.128 / SMF74MEC if SMF74ENF bit FID. IBM's manual gives 128 microseconds as its unit, the mapping macro 1: compare with INT DLY of a printed report (medium)
-- formula cu_queue_ms: SMF74CUQ * 0.128 / SMF74MEC (medium)
-- formula open_exchanges: (SMF74CMR + SMF74DIS + SMF74CNN) * 0.000128 / SMF74INT, as RMF's AVG OPEN EXCH of an LCU; needs what these three need (medium)
-- formula allocations: SMF74NDA / SMF74SAM (high)
-- formula not_ready_ratio: SMF74NRD / SMF74SAM (high)
-- formula mount_pending_ratio: SMF74MTP / SMF74SAM (high)
-- formula cylinders: SMF74CAP; NULL if 0 (high)
-- formula is_sync_capable: SMF74CN2 bit SIR or SIW (high)
-- formula sync_read_rate: SMF74SQR / SMF74INT (high)
-- formula sync_write_rate: SMF74SQW / SMF74INT (high)
-- formula sync_read_ms: SMF74SPR * 0.0005 / SMF74SQR (high)
-- formula sync_write_ms: SMF74SPW * 0.0005 / SMF74SQW (high)
-- formula sync_read_bytes_rate: SMF74SBR / SMF74INT (high)
-- formula sync_write_bytes_rate: SMF74SBW / SMF74INT (high)
-- formula sync_request_rate: (SMF74SQR + SMF74SQW + SMF74SLBR + SMF74SLBW + SMF74SCMR + SMF74SNIS + SMF74STOR + SMF74STOW + SMF74SOR + SMF74SOW) / SMF74INT (high)
-- formula sync_success_ratio: (SMF74SQR + SMF74SQW) / all ten (high)
-- formula sync_link_busy_ratio: (SMF74SLBR + SMF74SLBW) / all ten (medium)
-- formula sync_miss_ratio: (SMF74SCMR + SMF74SNIS) / all ten (medium)
-- formula sync_read_reject_ratio: (SMF74STOR + SMF74SOR) / all ten (medium)
-- formula sync_write_reject_ratio: (SMF74STOW + SMF74SOW) / all ten (medium)
-- formula total_io_rate: (SMF74SSC + SMF74SQR + SMF74SQW) / SMF74INT (high)
-- formula total_response_ms: (io_rate * response_ms + sync_read_rate * sync_read_ms + sync_write_rate * sync_write_ms) / total_io_rate (high)
-- note: A device measured twice in an interval is one row, see device_repeat.
-- note: Every measurement is NULL if SMF74CNF bit STA is off (offline) or bit VAC is on. Bit CMB voids counts and times (SSC to DIS).
-- note: Counts and times are NULL where no device can have them: above 100 000 starts per second, more time than 260 exposures have, a mean disconnect or connect time above 10 s. So is a share of samples above 1.
-- note: More than twice as many measured events (SMF74MEC) as starts, and 1,000, divide no time: all means of the row are NULL.
-- note: SMF74CNX bit NTF (timing facility off) voids pend, cmr, device busy, disc and conn; the wait is counted by IOS and stays. Bit QLI voids the sampled wait.
WITH control AS (
    SELECT
        record_id,
        max(SMF74SUB) AS class_code,
        bool_or(SMF74ENF_FCM) AS cmr_measured,
        bool_or(SMF74ENF_FID) AS interrupt_measured
    FROM smf74_1_device_control
    GROUP BY record_id
),
flagged AS (
    SELECT
        d.system, d.interval_start, d.interval_s, d.utc_offset_s, d.samples, d.file_id, d.record_offset,
        d.SMF74NUM, d.SMF74SCS, d.SMF74LCU, d.SMF74SER, d.SMF74DEV, d.SMF74CU, d.SMF74SGN,
        d.SMF74CNF_STA, d.SMF74CNF_LCD, d.SMF74CNF_PAR, d.SMF74CNX, d.SMF74CNX_HPV,
        d.SMF74NUX, d.SMF74PSM, d.SMF74HPC, d.SMF74UTL, d.SMF74RSV, d.SMF74ALC, d.SMF74MTC, d.SMF74ATD,
        d.SMF74NDA, d.SMF74NRD, d.SMF74MTP, d.SMF74CAP, d.SMF74CUQ, d.SMF74IDT, d.SMF74CN2_SIR, d.SMF74CN2_SIW,
        d.SMF74SQR, d.SMF74SQW, d.SMF74SPR, d.SMF74SPW, d.SMF74SBR, d.SMF74SBW,
        d.SMF74SLBR + d.SMF74SLBW AS sync_link_busy,
        d.SMF74SCMR + d.SMF74SNIS AS sync_missed,
        d.SMF74STOR + d.SMF74SOR AS sync_read_rejected,
        d.SMF74STOW + d.SMF74SOW AS sync_write_rejected,
        d.SMF74SSC, d.SMF74MEC, d.SMF74PEN, d.SMF74DVB, d.SMF74CMR, d.SMF74DIS, d.SMF74CNN, d.SMF74IOS, d.SMF74QUE,
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
    -- system and start are the record's: said again, a filter on them reaches what device_repeat reads
    LEFT JOIN device_repeat r
        ON r.record_id = d.record_id AND r.section_index = d.section_index
        AND r.system = d.system AND r.interval_start = d.interval_start
    LEFT JOIN listing_beside x
        ON /* d of d.system in the middle of a 'z/OS' 'device' listing that counts */
        AND x.subject = CAST(coalesce(d.SMF74SCS, 0) AS STRING) || d.SMF74NUM
    WHERE r.record_id IS NULL AND x.subject IS NULL
),
valid AS (
    SELECT
        f.*,
        nullif(f.interval_s, 0) AS span_s,
        CASE WHEN measured THEN nullif(f.samples, 0) END AS sampled,
        CASE WHEN measured AND counted AND possible THEN SMF74SSC END AS ssch,
        CASE WHEN measured AND counted AND possible THEN SMF74MEC END AS mec,
        CASE WHEN measured AND counted AND possible AND SMF74MEC <= 2 * coalesce(SMF74SSC, SMF74MEC) + 1000 THEN SMF74MEC END
            AS timed_count,
        CASE WHEN measured AND timed AND possible THEN SMF74PEN * 0.128e0 END AS pend_total_ms,
        CASE WHEN measured AND timed AND possible THEN SMF74DVB * 0.128e0 END AS device_busy_total_ms,
        CASE WHEN measured AND timed AND possible AND cmr_valid THEN SMF74CMR * 0.128e0 END AS cmr_total_ms,
        CASE WHEN measured AND timed AND possible AND disc_valid THEN SMF74DIS * 0.128e0 END AS disc_total_ms,
        CASE WHEN measured AND timed AND possible AND conn_valid THEN SMF74CNN * 0.128e0 END AS conn_total_ms,
        CASE WHEN measured AND timed AND possible THEN SMF74CUQ * 0.128e0 END AS cu_queue_total_ms,
        CASE WHEN measured AND timed AND possible AND interrupt_valid THEN SMF74IDT * 0.128e0 END AS interrupt_total_ms,
        CASE WHEN measured THEN SMF74SQR END AS sync_reads,
        CASE WHEN measured THEN SMF74SQW END AS sync_writes,
        CASE WHEN measured THEN (SMF74SPR + SMF74SPW) * 0.0005e0 END AS sync_total_ms,
        CASE
            WHEN measured
                THEN nullif(
                    SMF74SQR + SMF74SQW + sync_link_busy + sync_missed + sync_read_rejected + sync_write_rejected, 0
                )
        END AS sync_requests,
        CASE WHEN measured AND counted AND possible THEN SMF74IOS / 1e3 END AS wait_total_ms,
        CASE WHEN measured AND NOT queue_void THEN SMF74QUE END AS queue_sum
    FROM flagged f
),
derived AS (
    SELECT
        v.*,
        ssch / span_s AS io_rate,
        CASE
            WHEN SMF74IOS IS NOT NULL THEN wait_total_ms / nullif(ssch, 0)
            ELSE 1e3 * (queue_sum / sampled) / nullif(ssch / span_s, 0)
        END AS wait_ms,
        pend_total_ms / nullif(timed_count, 0) AS pend_ms,
        cmr_total_ms / nullif(timed_count, 0) AS cmr_ms,
        device_busy_total_ms / nullif(timed_count, 0) AS device_busy_ms,
        disc_total_ms / nullif(timed_count, 0) AS disc_ms,
        conn_total_ms / nullif(timed_count, 0) AS conn_ms,
        cu_queue_total_ms / nullif(timed_count, 0) AS cu_queue_ms,
        interrupt_total_ms / nullif(timed_count, 0) AS interrupt_delay_ms,
        sync_reads / span_s AS sync_read_rate,
        sync_writes / span_s AS sync_write_rate,
        (coalesce(ssch, 0) + coalesce(sync_reads + sync_writes, 0)) / span_s AS any_rate
    FROM valid v
)
SELECT
    'z/OS' AS platform,
    system,
    interval_start,
    interval_s,
    CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS device,
    SMF74CNF_STA AS online,
    nullif(SMF74SER, '') AS volser,
    nullif(SMF74DEV, '') AS device_type,
    nullif(SMF74CU, '') AS control_unit_type,
    CASE WHEN NOT coalesce(SMF74CNF_LCD, FALSE) THEN SMF74LCU END AS lcu,
    nullif(SMF74SGN, '') AS storage_group,
    CASE WHEN SMF74CNX IS NULL THEN 'unknown' WHEN is_base THEN 'base' ELSE 'single' END AS role,
    CASE
        WHEN NOT measured OR SMF74CNX IS NULL THEN NULL
        WHEN SMF74CNX_HPV THEN nullif(SMF74NUX, 0) / nullif(SMF74PSM, 0)
        WHEN is_base THEN nullif(SMF74NUX, 0)
        ELSE 1
    END AS exposures,
    SMF74CNX_HPV AS is_hyperpav,
    io_rate,
    wait_ms,
    CASE WHEN wait_ms IS NULL THEN NULL WHEN SMF74IOS IS NOT NULL THEN 'measured' ELSE 'sampled' END AS wait_source,
    pend_ms,
    cmr_ms,
    device_busy_ms,
    disc_ms,
    conn_ms,
    pend_ms + disc_ms + conn_ms AS service_ms,
    wait_ms + pend_ms + disc_ms + conn_ms AS response_ms,
    io_rate * (pend_ms + disc_ms + conn_ms) / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length,
    conn_total_ms / 1000 / span_s AS connect_ratio,
    (conn_total_ms + disc_total_ms) / 1000 / span_s
        + CASE WHEN SMF74UTL <= sampled THEN SMF74UTL / sampled END AS busy_ratio,
    CASE WHEN SMF74RSV <= sampled THEN SMF74RSV / sampled END AS reserved_ratio,
    'smf74.1' AS source,
    utc_offset_s,
    CASE right(class_code, 2)
        WHEN '20' THEN 'dasd'
        WHEN '80' THEN 'tape'
        WHEN '40' THEN 'communication'
        WHEN '10' THEN 'graphics'
        WHEN '08' THEN 'unit_record'
        WHEN '04' THEN 'character_reader'
    END AS device_class,
    CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS base_device,
    mec AS measured_count,
    CASE WHEN SMF74CNX_HPV THEN SMF74HPC END AS hyperpav_aliases,
    SMF74CNF_PAR AS is_partial,
    CASE WHEN measured THEN SMF74MTC END AS mount_count,
    CASE WHEN SMF74ALC <= sampled THEN SMF74ALC / sampled END AS allocated_ratio,
    CASE WHEN measured AND counted AND possible AND SMF74ATD <= 100000 * span_s THEN SMF74ATD END AS alias_throttled_count,
    interrupt_delay_ms,
    cu_queue_ms,
    (cmr_total_ms + disc_total_ms + conn_total_ms) / 1000 / span_s AS open_exchanges,
    SMF74NDA / sampled AS allocations,
    CASE WHEN SMF74NRD <= sampled THEN SMF74NRD / sampled END AS not_ready_ratio,
    CASE WHEN SMF74MTP <= sampled THEN SMF74MTP / sampled END AS mount_pending_ratio,
    nullif(SMF74CAP, 0) AS cylinders,
    SMF74CN2_SIR OR SMF74CN2_SIW AS is_sync_capable,
    sync_read_rate,
    sync_write_rate,
    SMF74SPR * 0.0005e0 / nullif(sync_reads, 0) AS sync_read_ms,
    SMF74SPW * 0.0005e0 / nullif(sync_writes, 0) AS sync_write_ms,
    CASE WHEN measured THEN SMF74SBR / span_s END AS sync_read_bytes_rate,
    CASE WHEN measured THEN SMF74SBW / span_s END AS sync_write_bytes_rate,
    CASE WHEN sync_reads IS NOT NULL THEN coalesce(sync_requests, 0) / span_s END AS sync_request_rate,
    (sync_reads + sync_writes) / sync_requests AS sync_success_ratio,
    sync_link_busy / sync_requests AS sync_link_busy_ratio,
    sync_missed / sync_requests AS sync_miss_ratio,
    sync_read_rejected / sync_requests AS sync_read_reject_ratio,
    sync_write_rejected / sync_requests AS sync_write_reject_ratio,
    CASE WHEN ssch IS NOT NULL THEN any_rate END AS total_io_rate,
    CASE
        WHEN ssch > 0
            THEN (io_rate * (wait_ms + pend_ms + disc_ms + conn_ms) + coalesce(sync_total_ms, 0) / span_s) / any_rate
        WHEN ssch = 0 THEN sync_total_ms / span_s / nullif(any_rate, 0)
    END AS total_response_ms,
    file_id,
    record_offset AS place
FROM derived

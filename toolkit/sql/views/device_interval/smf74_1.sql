-- feeds: device_interval
-- source: smf74.1
-- stored: no
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
-- note: Impossible counts and times are NULL: above 100 000 starts per second, more time than 260 exposures have, a mean disconnect or connect time above 10 s. So is a share of samples above 1.
-- note: All means of a row are NULL if measured events (SMF74MEC) exceed twice the starts plus 1,000.
-- note: SMF74CNX bit NTF (timing facility off) voids pend, cmr, device busy, disc and conn; the wait is counted by IOS and stays. Bit QLI voids the sampled wait.
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
    response_ms,
    in_service,
    queue_length,
    connect_ratio,
    busy_ratio,
    reserved_ratio,
    source,
    utc_offset_s,
    device_class,
    base_device,
    measured_count,
    hyperpav_aliases,
    is_partial,
    mount_count,
    allocated_ratio,
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
    total_response_ms,
    file_id,
    place
FROM _device_means

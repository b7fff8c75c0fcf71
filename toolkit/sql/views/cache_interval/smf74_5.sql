-- source: smf74.5
-- stored: no
-- formula interval_start: SMF74DAT + SMF74IST - SMF74LGO of the 74.5 record (high); + SMF74INT - R745CINT where these differ by more than a tenth (medium)
-- formula device: R745DFL4 bits DSCS and R745DEVN (high)
-- formula volser: R745DVOL (high)
-- formula read_count: R745DRCR + R745DRSR + R745DRNR (high)
-- formula write_count: R745DWRC + R745DWSR + R745DWNR (high)
-- formula read_hit_count: R745DCRH + R745DRSH + R745DNRH (high)
-- formula write_hit_count: R745DWCH + R745DWSH + R745DWNH (high)
-- formula fast_write_count: R745DFWC + R745DFWS + R745DWNR (high)
-- formula sequential_count: R745DRSR + R745DWSR (high)
-- formula io_count: R745DRCR + R745DRSR + R745DRNR + R745DWRC + R745DWSR + R745DWNR + R745DICL + R745DBCR (high)
-- formula read_rate: (R745DRCR + R745DRSR + R745DRNR) / R745CINT (high)
-- formula write_rate: (R745DWRC + R745DWSR + R745DWNR) / R745CINT (high)
-- formula read_ratio: reads / (reads + writes) (high)
-- formula read_hit_ratio: (R745DCRH + R745DRSH + R745DNRH) / reads (high)
-- formula write_hit_ratio: (R745DWCH + R745DWSH + R745DWNH) / writes (high)
-- formula hit_ratio: six hits / (reads + writes + R745DICL + R745DBCR) (high)
-- formula sequential_ratio: (R745DRSR + R745DWSR) / (reads + writes) (high)
-- formula fast_write_ratio: (R745DFWC + R745DFWS + R745DWNR) / writes (high)
-- formula nvs_delay_count: R745DFWB (high)
-- formula nvs_delay_rate: R745DFWB / R745CINT (high)
-- formula nvs_delay_ratio: R745DFWB / writes (high)
-- formula cache_delay_rate: R745DFWR / R745CINT (high)
-- formula fast_write_inhibit_rate: (writes - fast writes) / R745CINT (high)
-- formula stage_rate: R745DNTD / R745CINT (high)
-- formula sequential_stage_rate: R745DTC / R745CINT (high)
-- formula destage_rate: R745DCTD / R745CINT (high)
-- formula inhibit_rate: R745DICL / R745CINT (high)
-- formula bypass_rate: R745DBCR / R745CINT (high)
-- formula read_bytes_rate: R7451CT1 * 131072 / R745CINT if R7451INC bit XFL and UNT = 0 (medium)
-- formula write_bytes_rate: R7451CT2 * 131072 / R745CINT if R7451INC bit XFL and UNT = 0 (medium)
-- formula disk_read_rate: R7452PRO / R745CINT if R7451FLG = 2 (high)
-- formula disk_write_rate: R7452PWO / R745CINT if R7451FLG = 2 (high)
-- formula disk_read_ms: R7452PRT * 16 / R7452PRO if R7451FLG = 2 and UNT = 0 (high)
-- formula disk_write_ms: R7452PWT * 16 / R7452PWO if R7451FLG = 2 and UNT = 0 (high)
-- formula extent_pool: R7452XID in hexadecimal if R7451FLG = 2 (high)
-- formula zhpf_read_rate: R7451CT5 / R745CINT if R7451INC bit HPF (high)
-- formula zhpf_write_rate: R7451CT6 / R745CINT if R7451INC bit HPF (high)
-- formula list_prefetch_rate: R7451ZHL / R745CINT if R7451INC bit HPF (high)
-- formula host_read_ms: R7451CT3 * 16 / (R745DRCR + R745DRSR + R745DRNR) if R7451INC bit XFL and UNT = 0 (medium)
-- formula host_write_ms: R7451CT4 * 16 / (R745DWRC + R745DWSR + R745DWNR) if R7451INC bit XFL and UNT = 0 (medium)
-- formula sync_read_request_rate: R7451SRR / R745CINT if R7451INC bit SIO (high)
-- formula sync_read_hit_ratio: R7451SRH / R7451SRR if R7451INC bit SIO (high)
-- formula sync_write_request_rate: R7451SWR / R745CINT if R7451INC bit SIO (high)
-- formula sync_write_hit_ratio: R7451SWH / R7451SWR if R7451INC bit SIO (high)
-- formula mirrored_track_rate: R7451TSP / R745CINT (high)
-- formula sidefile_read_rate: R7451XSF / R745CINT (high)
-- formula contaminating_write_rate: R7451XCW / R745CINT (high)
-- formula global_mirror_sidefile_rate: R7451GSF / R745CINT (high)
-- formula global_mirror_sync_rate: R7451GSS / R745CINT (high)
-- formula mirror_state: R745DVS1: suspended if bit DSPD or bits DSDP = 3, pending if bit DSSD or DSDP = 1, full duplex if tracks were sent (R7451TSP above 0) and neither (medium)
-- formula cache_active: R745DVS1 bits DSDV below 2 (not deactivated, nor pending) and R745SCS bits SOS = 0 in the record's status section (high)
-- formula fast_write_active: R745DVS1 bits DSFW below 2 and R745SVSS bits 0-4 all zero (high)
-- formula has_pinned_data: R745DSG2 bits DPDT = 1 if the low nibble of R745SFT is 1 or 2 (high)
-- formula is_rebuilding: R745DSG2 bit RRB if the low nibble of R745SFT is 1 or 2 (high)
-- formula system: SMF74SID of the system kept, see cache_record (high)
-- note: R745DFLG bit DNAV (subsystem storage not available) voids the counters of a device.
-- note: Device and extent pool sections are joined by device number and subchannel set, never by position.
SELECT
    *,
    {{ cache_ratios_of_counts() }},
    {{ each("NAME_count / nullif(interval_s, 0)", "read write nvs_delay cache_delay stage sequential_stage destage
        inhibit bypass disk_read disk_write zhpf_read zhpf_write list_prefetch sync_read_request sync_write_request
        mirrored_track sidefile_read contaminating_write global_mirror_sidefile global_mirror_sync", "NAME_rate") }},
    (write_count - fast_write_count) / nullif(interval_s, 0) AS fast_write_inhibit_rate,
    read_128k * 131072 / nullif(interval_s, 0) AS read_bytes_rate,
    written_128k * 131072 / nullif(interval_s, 0) AS write_bytes_rate,
    disk_read_16ms * 16 / nullif(disk_read_count, 0) AS disk_read_ms,
    disk_write_16ms * 16 / nullif(disk_write_count, 0) AS disk_write_ms,
    host_read_16ms * 16 / nullif(read_count, 0) AS host_read_ms,
    host_write_16ms * 16 / nullif(write_count, 0) AS host_write_ms,
    sync_read_hits / nullif(sync_read_request_count, 0) AS sync_read_hit_ratio,
    sync_write_hits / nullif(sync_write_request_count, 0) AS sync_write_hit_ratio
FROM _cache_smf74_5

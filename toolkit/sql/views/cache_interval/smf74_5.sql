-- feeds: cache_interval
-- source: smf74.5
-- formula interval_start: SMF74DAT + SMF74IST - SMF74LGO of the 74.5 record (high); + SMF74INT - R745CINT where these differ by more than a tenth (medium)
-- formula interval_s: R745CINT (high)
-- formula subsystem: R745SSID of the record's status section, else R745DSID (high)
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
-- formula rank: R7451RID in hexadecimal if R7451FLG = 1 (low)
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
-- formula system: SMF74SID of the system kept, see cache_record (high)
-- note: R745DFLG bit DNAV (subsystem storage not available) voids the counters of a device.
-- note: Device and extent pool sections are joined by device number and subchannel set, never by position.
WITH extent AS (
    SELECT
        record_id,
        R7451DVN AS number,
        coalesce(R7451SCS, 0) AS subchannel_set,
        R7451INC_XFL, R7451INC_UNT, R7451FLG, R7451CT1, R7451CT2,
        R7452PRO, R7452PWO, R7452PRT, R7452PWT,
        CASE WHEN R7451FLG = 2 THEN lpad(hex(CAST(R7452XID AS BIGINT)), 4, '0') END AS extent_pool,
        CASE WHEN R7451FLG = 1 THEN lpad(hex(CAST(R7451RID AS BIGINT)), 4, '0') END AS rank,
        CASE WHEN R7451INC_XFL AND R7451INC_UNT = 0 THEN R7451CT3 * 16 END AS host_read_total_ms,
        CASE WHEN R7451INC_XFL AND R7451INC_UNT = 0 THEN R7451CT4 * 16 END AS host_write_total_ms,
        CASE WHEN R7451INC_HPF THEN R7451CT5 END AS zhpf_reads,
        CASE WHEN R7451INC_HPF THEN R7451CT6 END AS zhpf_writes,
        CASE WHEN R7451INC_HPF THEN R7451ZHL END AS list_prefetches,
        CASE WHEN R7451INC_SIO THEN R7451SRR END AS sync_reads,
        CASE WHEN R7451INC_SIO THEN R7451SRH END AS sync_read_hits,
        CASE WHEN R7451INC_SIO THEN R7451SWR END AS sync_writes,
        CASE WHEN R7451INC_SIO THEN R7451SWH END AS sync_write_hits,
        R7451TSP, R7451XSF, R7451XCW, R7451GSF, R7451GSS
    FROM smf74_5_raid_extent_pool
),
whole AS (
    SELECT
        record_id,
        bool_and(R745SCS_SOS = 0) AS cache_active,
        bool_and(NOT (R745SVSS_SNHT OR R745SVSS_SNIS OR R745SVSS_DFWI OR R745SVSS_SNDS OR R745SVSS_SNPE)) AS nvs_active
    FROM smf74_5_cache_status
    GROUP BY record_id
),
device AS (
    SELECT
        d.record_id,
        d.system,
        d.interval_start,
        d.file_id,
        d.record_offset,
        d.R745DEVN AS number,
        coalesce(d.R745DFL4_DSCS, 0) AS subchannel_set,
        nullif(d.R745DVOL, '') AS volser,
        d.utc_offset_s,
        NOT coalesce(d.R745DFLG_DNAV, FALSE) AS valid,
        R745DRCR + R745DRSR + R745DRNR AS reads,
        R745DWRC + R745DWSR + R745DWNR AS writes,
        R745DCRH + R745DRSH + R745DNRH AS read_hits,
        R745DWCH + R745DWSH + R745DWNH AS write_hits,
        R745DFWC + R745DFWS + R745DWNR AS fast_writes,
        R745DRSR + R745DWSR AS sequential,
        R745DRCR + R745DRSR + R745DRNR + R745DWRC + R745DWSR + R745DWNR + R745DICL + R745DBCR AS ios,
        R745DFWB, R745DFWR, R745DNTD, R745DTC, R745DCTD, R745DICL, R745DBCR,
        R745DVS1_DSDV, R745DVS1_DSFW, R745DVS1_DSPD, R745DVS1_DSSD, R745DVS1_DSDP
    FROM smf74_5_cache_device d
),
joined AS (
    SELECT
        r.system,
        r.interval_start,
        r.interval_s,
        r.subsystem,
        CAST(d.subchannel_set AS STRING) || d.number AS device,
        d.volser,
        d.utc_offset_s,
        d.file_id,
        d.record_offset,
        CASE WHEN d.valid THEN nullif(r.interval_s, 0) END AS cint,
        CASE WHEN d.valid THEN 1 END AS one,
        d.reads, d.writes, d.read_hits, d.write_hits, d.fast_writes, d.sequential, d.ios,
        d.R745DFWB, d.R745DFWR, d.R745DNTD, d.R745DTC, d.R745DCTD, d.R745DICL, d.R745DBCR,
        d.R745DVS1_DSPD, d.R745DVS1_DSSD, d.R745DVS1_DSDP,
        d.R745DVS1_DSDV < 2 AND coalesce(w.cache_active, TRUE) AS cache_active,
        d.R745DVS1_DSFW < 2 AND coalesce(w.nvs_active, TRUE) AS fast_write_active,
        e.extent_pool, e.rank, e.host_read_total_ms, e.host_write_total_ms, e.zhpf_reads, e.zhpf_writes,
        e.list_prefetches, e.sync_reads, e.sync_read_hits, e.sync_writes, e.sync_write_hits,
        e.R7451TSP, e.R7451XSF, e.R7451XCW, e.R7451GSF, e.R7451GSS,
        CASE WHEN e.R7451INC_XFL AND e.R7451INC_UNT = 0 THEN e.R7451CT1 * 131072 END AS bytes_read,
        CASE WHEN e.R7451INC_XFL AND e.R7451INC_UNT = 0 THEN e.R7451CT2 * 131072 END AS bytes_written,
        CASE WHEN e.R7451FLG = 2 THEN e.R7452PRO END AS disk_reads,
        CASE WHEN e.R7451FLG = 2 THEN e.R7452PWO END AS disk_writes,
        CASE WHEN e.R7451FLG = 2 AND e.R7451INC_UNT = 0 THEN e.R7452PRT * 16 END AS disk_read_total_ms,
        CASE WHEN e.R7451FLG = 2 AND e.R7451INC_UNT = 0 THEN e.R7452PWT * 16 END AS disk_write_total_ms
    FROM cache_record r
    -- system and start are the record's: said again, a system that is asked for reaches the files
    JOIN device d ON d.record_id = r.record_id AND d.system = r.system AND d.interval_start = r.record_start
    LEFT JOIN whole w ON w.record_id = d.record_id
    LEFT JOIN extent e
        ON e.record_id = d.record_id
        AND e.number = d.number
        AND e.subchannel_set = d.subchannel_set
    LEFT JOIN listing_beside x
        ON /* r of r.subsystem in the middle of a 'z/OS' 'cache' listing that counts */
        AND x.subject = CAST(d.subchannel_set AS STRING) || d.number
    WHERE r.kept AND x.subject IS NULL
)
SELECT
    interval_start,
    interval_s,
    subsystem,
    device,
    volser,
    reads / cint AS read_rate,
    writes / cint AS write_rate,
    one * reads / nullif(reads + writes, 0) AS read_ratio,
    one * read_hits / nullif(reads, 0) AS read_hit_ratio,
    one * write_hits / nullif(writes, 0) AS write_hit_ratio,
    one * (read_hits + write_hits) / nullif(ios, 0) AS hit_ratio,
    one * sequential / nullif(reads + writes, 0) AS sequential_ratio,
    one * fast_writes / nullif(writes, 0) AS fast_write_ratio,
    one * R745DFWB AS nvs_delay_count,
    R745DFWB / cint AS nvs_delay_rate,
    one * R745DFWB / nullif(writes, 0) AS nvs_delay_ratio,
    R745DFWR / cint AS cache_delay_rate,
    (writes - fast_writes) / cint AS fast_write_inhibit_rate,
    R745DNTD / cint AS stage_rate,
    R745DTC / cint AS sequential_stage_rate,
    R745DCTD / cint AS destage_rate,
    R745DICL / cint AS inhibit_rate,
    R745DBCR / cint AS bypass_rate,
    one * reads AS read_count,
    one * writes AS write_count,
    one * read_hits AS read_hit_count,
    one * write_hits AS write_hit_count,
    one * fast_writes AS fast_write_count,
    one * sequential AS sequential_count,
    one * ios AS io_count,
    bytes_read / cint AS read_bytes_rate,
    bytes_written / cint AS write_bytes_rate,
    disk_reads / cint AS disk_read_rate,
    disk_writes / cint AS disk_write_rate,
    one * disk_read_total_ms / nullif(disk_reads, 0) AS disk_read_ms,
    one * disk_write_total_ms / nullif(disk_writes, 0) AS disk_write_ms,
    CASE WHEN one = 1 THEN cache_active END AS cache_active,
    CASE WHEN one = 1 THEN fast_write_active END AS fast_write_active,
    'z/OS' AS platform,
    system,
    utc_offset_s,
    'smf74.5' AS source,
    extent_pool,
    rank,
    zhpf_reads / cint AS zhpf_read_rate,
    zhpf_writes / cint AS zhpf_write_rate,
    list_prefetches / cint AS list_prefetch_rate,
    one * host_read_total_ms / nullif(reads, 0) AS host_read_ms,
    one * host_write_total_ms / nullif(writes, 0) AS host_write_ms,
    sync_reads / cint AS sync_read_request_rate,
    one * sync_read_hits / nullif(sync_reads, 0) AS sync_read_hit_ratio,
    sync_writes / cint AS sync_write_request_rate,
    one * sync_write_hits / nullif(sync_writes, 0) AS sync_write_hit_ratio,
    R7451TSP / cint AS mirrored_track_rate,
    R7451XSF / cint AS sidefile_read_rate,
    R7451XCW / cint AS contaminating_write_rate,
    R7451GSF / cint AS global_mirror_sidefile_rate,
    R7451GSS / cint AS global_mirror_sync_rate,
    CASE
        WHEN one IS NULL THEN NULL
        WHEN R745DVS1_DSPD OR R745DVS1_DSDP = 3 THEN 'suspended'
        WHEN R745DVS1_DSSD OR R745DVS1_DSDP = 1 THEN 'pending'
        WHEN R7451TSP > 0 THEN 'full duplex'
    END AS mirror_state,
    file_id,
    record_offset AS place
FROM joined

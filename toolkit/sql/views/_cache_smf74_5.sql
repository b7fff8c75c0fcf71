-- reach: a day
-- title: Cache statistics of type 74.5 by device as counted, of one system for each subsystem; void where the record says so
-- grain: one row per system, interval_start, subsystem, device
-- columns: platform, system, interval_start, interval_s, utc_offset_s, subsystem, device, volser, extent_pool, rank
-- columns: cache_active, fast_write_active, mirror_state, has_pinned_data, is_rebuilding, read_count, write_count
-- columns: read_hit_count, write_hit_count
-- column fast_write_count DOUBLE [events in the interval]: Fast writes = R745DFWC + R745DFWS + R745DWNR
-- column sequential_count DOUBLE [events in the interval]: Sequential reads and writes = R745DRSR + R745DWSR
-- columns: io_count, nvs_delay_count
-- column cache_delay_count DOUBLE [events in the interval]: Fast writes delayed for lack of cache = R745DFWR
-- column stage_count DOUBLE [events in the interval]: Tracks staged = R745DNTD
-- column sequential_stage_count DOUBLE [events in the interval]: Tracks staged ahead = R745DTC
-- column destage_count DOUBLE [events in the interval]: Tracks destaged = R745DCTD
-- column inhibit_count DOUBLE [events in the interval]: I/Os with cache loading inhibited = R745DICL
-- column bypass_count DOUBLE [events in the interval]: I/Os that bypassed the cache = R745DBCR
-- column read_128k DOUBLE []: Bytes read, in units of 128 KiB = R7451CT1
-- column written_128k DOUBLE []: Bytes written, in units of 128 KiB = R7451CT2
-- column host_read_16ms DOUBLE []: Time of reads, summed, in units of 16 ms = R7451CT3
-- column host_write_16ms DOUBLE []: Time of writes, summed, in units of 16 ms = R7451CT4
-- column disk_read_count DOUBLE [events in the interval]: Reads from disk = R7452PRO
-- column disk_write_count DOUBLE [events in the interval]: Writes to disk = R7452PWO
-- column disk_read_16ms DOUBLE []: Time of reads from disk, summed, in units of 16 ms = R7452PRT
-- column disk_write_16ms DOUBLE []: Time of writes to disk, summed, in units of 16 ms = R7452PWT
-- column zhpf_read_count DOUBLE [events in the interval]: zHPF reads = R7451CT5
-- column zhpf_write_count DOUBLE [events in the interval]: zHPF writes = R7451CT6
-- column list_prefetch_count DOUBLE [events in the interval]: zHPF list prefetches = R7451ZHL
-- column sync_read_request_count DOUBLE [events in the interval]: Synchronous reads = R7451SRR
-- column sync_read_hits DOUBLE [events in the interval]: Synchronous read hits = R7451SRH
-- column sync_write_request_count DOUBLE [events in the interval]: Synchronous writes = R7451SWR
-- column sync_write_hits DOUBLE [events in the interval]: Synchronous write hits = R7451SWH
-- column mirrored_track_count DOUBLE [events in the interval]: Tracks sent to a mirror = R7451TSP
-- column sidefile_read_count DOUBLE [events in the interval]: XRC side file reads = R7451XSF
-- column contaminating_write_count DOUBLE [events in the interval]: XRC contaminating writes = R7451XCW
-- column global_mirror_sidefile_count DOUBLE [events in the interval]: R7451GSF
-- column global_mirror_sync_count DOUBLE [events in the interval]: R7451GSS
-- columns: file_id, place
WITH extent AS (
    SELECT
        record_id,
        R7451DVN AS number,
        coalesce(R7451SCS, 0) AS subchannel_set,
        CASE WHEN R7451FLG = 2 THEN lpad(hex(CAST(R7452XID AS BIGINT)), 4, '0') END AS extent_pool,
        CASE WHEN R7451FLG = 1 THEN lpad(hex(CAST(R7451RID AS BIGINT)), 4, '0') END AS rank,
        CASE WHEN R7451INC_XFL AND R7451INC_UNT = 0 THEN R7451CT1 END AS read_128k,
        CASE WHEN R7451INC_XFL AND R7451INC_UNT = 0 THEN R7451CT2 END AS written_128k,
        CASE WHEN R7451INC_XFL AND R7451INC_UNT = 0 THEN R7451CT3 END AS host_read_16ms,
        CASE WHEN R7451INC_XFL AND R7451INC_UNT = 0 THEN R7451CT4 END AS host_write_16ms,
        CASE WHEN R7451FLG = 2 THEN R7452PRO END AS disk_read_count,
        CASE WHEN R7451FLG = 2 THEN R7452PWO END AS disk_write_count,
        CASE WHEN R7451FLG = 2 AND R7451INC_UNT = 0 THEN R7452PRT END AS disk_read_16ms,
        CASE WHEN R7451FLG = 2 AND R7451INC_UNT = 0 THEN R7452PWT END AS disk_write_16ms,
        CASE WHEN R7451INC_HPF THEN R7451CT5 END AS zhpf_read_count,
        CASE WHEN R7451INC_HPF THEN R7451CT6 END AS zhpf_write_count,
        CASE WHEN R7451INC_HPF THEN R7451ZHL END AS list_prefetch_count,
        CASE WHEN R7451INC_SIO THEN R7451SRR END AS sync_read_request_count,
        CASE WHEN R7451INC_SIO THEN R7451SRH END AS sync_read_hits,
        CASE WHEN R7451INC_SIO THEN R7451SWR END AS sync_write_request_count,
        CASE WHEN R7451INC_SIO THEN R7451SWH END AS sync_write_hits,
        R7451TSP AS mirrored_track_count, R7451XSF AS sidefile_read_count, R7451XCW AS contaminating_write_count,
        R7451GSF AS global_mirror_sidefile_count, R7451GSS AS global_mirror_sync_count
    FROM smf74_5_raid_extent_pool
),
whole AS (
    SELECT
        record_id,
        bool_and(R745SCS_SOS = 0) AS cache_active,
        -- older sections mean something else by these bits
        bool_and(R745SFT % 16 IN (1, 2)) AS has_device_state,
        bool_and(NOT (R745SVSS_SNHT OR R745SVSS_SNIS OR R745SVSS_DFWI OR R745SVSS_SNDS OR R745SVSS_SNPE)) AS nvs_active
    FROM smf74_5_cache_status
    GROUP BY record_id
),
device AS (
    SELECT
        d.record_id, d.system, d.interval_start, d.file_id, d.record_offset,
        d.R745DEVN AS number,
        coalesce(d.R745DFL4_DSCS, 0) AS subchannel_set,
        nullif(d.R745DVOL, '') AS volser,
        d.utc_offset_s,
        NOT coalesce(d.R745DFLG_DNAV, FALSE) AS valid,
        R745DRCR + R745DRSR + R745DRNR AS read_count,
        R745DWRC + R745DWSR + R745DWNR AS write_count,
        R745DCRH + R745DRSH + R745DNRH AS read_hit_count,
        R745DWCH + R745DWSH + R745DWNH AS write_hit_count,
        R745DFWC + R745DFWS + R745DWNR AS fast_write_count,
        R745DRSR + R745DWSR AS sequential_count,
        R745DRCR + R745DRSR + R745DRNR + R745DWRC + R745DWSR + R745DWNR + R745DICL + R745DBCR AS io_count,
        R745DFWB AS nvs_delay_count, R745DFWR AS cache_delay_count, R745DNTD AS stage_count,
        R745DTC AS sequential_stage_count, R745DCTD AS destage_count, R745DICL AS inhibit_count, R745DBCR AS bypass_count,
        R745DVS1_DSDV, R745DVS1_DSFW, R745DVS1_DSPD, R745DVS1_DSSD, R745DVS1_DSDP,
        R745DSG2_RRB, R745DSG2_DPDT
    FROM smf74_5_cache_device d
)
SELECT
    'z/OS' AS platform,
    r.system, r.interval_start, r.interval_s, d.utc_offset_s, r.subsystem,
    CAST(d.subchannel_set AS STRING) || d.number AS device,
    d.volser, e.extent_pool, e.rank,
    CASE WHEN d.valid THEN d.R745DVS1_DSDV < 2 AND coalesce(w.cache_active, TRUE) END AS cache_active,
    CASE WHEN d.valid THEN d.R745DVS1_DSFW < 2 AND coalesce(w.nvs_active, TRUE) END AS fast_write_active,
    CASE
        WHEN NOT d.valid THEN NULL
        WHEN d.R745DVS1_DSPD OR d.R745DVS1_DSDP = 3 THEN 'suspended'
        WHEN d.R745DVS1_DSSD OR d.R745DVS1_DSDP = 1 THEN 'pending'
        WHEN e.mirrored_track_count > 0 THEN 'full duplex'
    END AS mirror_state,
    CASE WHEN d.valid AND w.has_device_state THEN d.R745DSG2_DPDT = 1 END AS has_pinned_data,
    CASE WHEN d.valid AND w.has_device_state THEN d.R745DSG2_RRB END AS is_rebuilding,
    {{ each("CASE WHEN d.valid THEN d.NAME END", "read_count write_count read_hit_count write_hit_count
        fast_write_count sequential_count io_count nvs_delay_count cache_delay_count stage_count sequential_stage_count
        destage_count inhibit_count bypass_count") }},
    {{ each("CASE WHEN d.valid THEN e.NAME END", "read_128k written_128k host_read_16ms host_write_16ms disk_read_count
        disk_write_count disk_read_16ms disk_write_16ms zhpf_read_count zhpf_write_count list_prefetch_count
        sync_read_request_count sync_read_hits sync_write_request_count sync_write_hits mirrored_track_count
        sidefile_read_count contaminating_write_count global_mirror_sidefile_count global_mirror_sync_count") }},
    d.file_id, d.record_offset AS place
FROM device d
-- system and start are the record's: repeated here, a filter on the system reaches the files
JOIN cache_record r ON d.record_id = r.record_id AND d.system = r.system AND d.interval_start = r.record_start
LEFT JOIN whole w ON w.record_id = d.record_id
LEFT JOIN extent e ON {{ equal("record_id, number, subchannel_set", "e", "d") }}
{{ join_left_out("'z/OS'", "'cache'", "r.subsystem", "CAST(d.subchannel_set AS STRING) || d.number",
    "r.interval_start", "r.interval_s") }}
WHERE r.kept AND x.subject IS NULL

-- feeds: link_interval
-- source: smf74.8
-- formula interval_s: R748CINT (high)
-- formula box: R748CSER without leading zeros (medium)
-- formula link: R748LAID or R748SIID in hexadecimal (high)
-- formula link_type: R748LTYP: 1 ESCON, 2 to 7 Fibre Channel of 1 to 32 Gb/s, 10 and 11 Ethernet of 10 and 40 Gb/s; R748STYP: 1 optical PCIe (high)
-- formula operation: by the counters: R748LER and LEW (ECKD), LPS and LPR (PPRC), LSR and LSW (SCSI), R748SCR, SCW, SNW (synchronous I/O) (high)
-- formula operation_rate: R748LERO and the like / R748CINT (high)
-- formula bytes_rate: R748LERB and the like * 131072 / R748CINT unless bit LBYT of R748LFLG (SBYT of R748SFLG) is on (high)
-- formula response_ms: R748LERT and the like / R748LERO unless bit LTIM of R748LFLG (STIM of R748SFLG) is on (high)
-- formula in_progress: R748LERT and the like / (1000 * R748CINT) unless bit LTIM or STIM is on (high)
-- formula success_ratio: R748SCRS / R748SCRO, R748SCWS / R748SCWO, R748SNWS / R748SNWO (high)
WITH work AS (
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code, 'host read' AS operation, R748LERO AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748LERB END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748LERT END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code, 'host write' AS operation, R748LEWO AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748LEWB END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748LEWT END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code, 'copy send' AS operation, R748LPSO AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748LPSB END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748LPST END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code, 'copy receive' AS operation, R748LPRO AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748LPRB END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748LPRT END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code, 'scsi read' AS operation, R748LSRO AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748LSRB END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748LSRT END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code, 'scsi write' AS operation, R748LSWO AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748LSWB END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748LSWT END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748SIID, 100 + R748STYP, 'synchronous read', R748SCRO, R748SCRS,
        CASE WHEN NOT coalesce(R748SFLG_SBYT, FALSE) THEN R748SCBR END,
        CASE WHEN NOT coalesce(R748SFLG_STIM, FALSE) THEN R748SCRT END
    FROM smf74_8_sync_io_link
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748SIID, 100 + R748STYP, 'synchronous write', R748SCWO, R748SCWS,
        CASE WHEN NOT coalesce(R748SFLG_SBYT, FALSE) THEN R748SCBW END,
        CASE WHEN NOT coalesce(R748SFLG_STIM, FALSE) THEN R748SCWT END
    FROM smf74_8_sync_io_link
    UNION ALL
    SELECT
        record_id, file_id, record_offset, R748SIID, 100 + R748STYP, 'synchronous NVS write', R748SNWO, R748SNWS,
        CASE WHEN NOT coalesce(R748SFLG_SBYT, FALSE) THEN R748SNBW END,
        CASE WHEN NOT coalesce(R748SFLG_STIM, FALSE) THEN R748SNWT END
    FROM smf74_8_sync_io_link
)
SELECT
    b.interval_start,
    b.interval_s,
    b.box,
    lpad(hex(CAST(w.link AS BIGINT)), 4, '0') AS link,
    CASE max(w.type_code)
        WHEN 1 THEN 'ESCON'
        WHEN 2 THEN 'FC 1 Gb/s'
        WHEN 3 THEN 'FC 2 Gb/s'
        WHEN 4 THEN 'FC 4 Gb/s'
        WHEN 5 THEN 'FC 8 Gb/s'
        WHEN 6 THEN 'FC 16 Gb/s'
        WHEN 7 THEN 'FC 32 Gb/s'
        WHEN 10 THEN 'Ethernet 10 Gb/s'
        WHEN 11 THEN 'Ethernet 40 Gb/s'
        WHEN 101 THEN 'optical PCIe'
    END AS link_type,
    w.operation,
    sum(w.operations) / b.interval_s AS operation_rate,
    sum(w.units) * 131072 / b.interval_s AS bytes_rate,
    sum(w.total_ms) / nullif(sum(w.operations), 0) AS response_ms,
    sum(w.total_ms) / 1000 / b.interval_s AS in_progress,
    sum(w.succeeded) / nullif(sum(w.operations), 0) AS success_ratio,
    'z/OS' AS platform,
    max(b.system) AS system,
    max(b.utc_offset_s) AS utc_offset_s,
    'smf74.8' AS source,
    min(w.file_id) AS file_id,
    min(w.record_offset) AS place
FROM work w
JOIN box_record b ON b.record_id = w.record_id AND b.kept
WHERE w.operations > 0
GROUP BY b.interval_start, b.interval_s, b.box, w.link, w.operation

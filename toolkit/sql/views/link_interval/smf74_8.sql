-- source: smf74.8
-- formula link: R748LAID or R748SIID in hexadecimal (high)
-- formula link_type: R748LTYP: 1 ESCON, 2 to 7 Fibre Channel of 1 to 32 Gb/s, 10 and 11 Ethernet of 10 and 40 Gb/s; R748STYP: 1 optical PCIe (high)
-- formula operation: by the counters: R748LER and LEW (ECKD), LPS and LPR (PPRC), LSR and LSW (SCSI), R748SCR, SCW, SNW (synchronous I/O) (high)
-- formula operation_rate: R748LERO and the like / R748CINT (high)
-- formula bytes_rate: R748LERB and the like * 131072 / R748CINT unless bit LBYT of R748LFLG (SBYT of R748SFLG) is on (high)
-- formula response_ms: R748LERT and the like / R748LERO unless bit LTIM of R748LFLG (STIM of R748SFLG) is on (high)
-- formula in_progress: R748LERT and the like / (1000 * R748CINT) unless bit LTIM or STIM is on (high)
-- formula success_ratio: R748SCRS / R748SCRO, R748SCWS / R748SCWO, R748SNWS / R748SNWO (high)
WITH work AS (
    {% for operation, name in [
        ("host read", "LER"), ("host write", "LEW"), ("copy send", "LPS"), ("copy receive", "LPR"), ("scsi read", "LSR"), ("scsi write", "LSW")
    ] -%}
    SELECT
        record_id, file_id, record_offset, R748LAID AS link, R748LTYP AS type_code,
        '{{ operation }}' AS operation, R748{{ name }}O AS operations, NULL AS succeeded,
        CASE WHEN NOT coalesce(R748LFLG_LBYT, FALSE) THEN R748{{ name }}B END AS units,
        CASE WHEN NOT coalesce(R748LFLG_LTIM, FALSE) THEN R748{{ name }}T END AS total_ms
    FROM smf74_8_link_statistics
    UNION ALL
    {% endfor %}
    {%- for operation, name, units in [
        ("synchronous read", "SCR", "SCBR"), ("synchronous write", "SCW", "SCBW"), ("synchronous NVS write", "SNW", "SNBW")
    ] -%}
    SELECT
        record_id, file_id, record_offset, R748SIID, 100 + R748STYP, '{{ operation }}', R748{{ name }}O, R748{{ name }}S,
        CASE WHEN NOT coalesce(R748SFLG_SBYT, FALSE) THEN R748{{ units }} END,
        CASE WHEN NOT coalesce(R748SFLG_STIM, FALSE) THEN R748{{ name }}T END
    FROM smf74_8_sync_io_link
    {%- if not loop.last %}
    UNION ALL
    {% endif %}
    {%- endfor %}
)
SELECT
    b.interval_start, b.interval_s, b.box,
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
    max(b.system) AS system,
    max(b.utc_offset_s) AS utc_offset_s,
    min(w.file_id) AS file_id,
    min(w.record_offset) AS place
FROM work w
JOIN box_record b ON b.record_id = w.record_id AND b.kept
WHERE w.operations > 0
GROUP BY b.interval_start, b.interval_s, b.box, w.link, w.operation

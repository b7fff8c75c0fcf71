-- source: smf74.7
-- formula director: R747SDEV of the record's switch section (medium)
-- formula port: R747PADR (high)
-- formula kind: R747PTFL bits CHP, SCU, MCU, SW (high)
-- formula attached: R747PCP of a channel; else R747PCU, or R747CCU of the R747PNPC connector sections from index R747PXPC on (medium)
-- formula attached_units: R747PCUN; at least the connector sections (medium)
-- formula online: R747PSFL bit INS and not R747PPFL bits PNTI, POFF (medium)
-- formula read_bytes_rate: R747PNWR * 4 / SMF74INT if R747PPFL bit PSCR and not R747PSFL bit NMD (high)
-- formula write_bytes_rate: R747PNWT * 4 / SMF74INT, under the same flags (high)
-- formula read_frame_rate: R747PNFR / SMF74INT (high)
-- formula write_frame_rate: R747PNFT / SMF74INT (high)
-- formula read_frame_bytes: R747PNWR * 4 / R747PNFR (high)
-- formula write_frame_bytes: R747PNWT * 4 / R747PNFT (high)
-- formula frame_pacing_ms: R747PFPT * 0.0025 / R747PNFT (high)
-- formula error_count: R747PNER (high)
-- formula link_failed: R747PPFL bit PLF (high)
-- note: Index 1 is taken to be the first connector section (medium).
WITH switch AS (
    SELECT record_id, min(R747SDEV) AS director
    FROM smf74_7_switch
    GROUP BY record_id
),
port AS (
    SELECT
        p.*, s.director,
        nullif(p.interval_s, 0) AS span_s,
        CASE WHEN p.R747PPFL_PSCR AND NOT coalesce(p.R747PSFL_NMD, FALSE) THEN 1 END AS valid
    FROM smf74_7_port p
    JOIN switch s ON s.record_id = p.record_id
),
section AS (
    SELECT
        system, interval_start, interval_s, director || ' ' || R747PADR AS subject, 1 + coalesce(valid, 0) AS grade
    FROM port
),
repeated_interval AS (
    {{ left_out_of("section", "system") }}
),
connected AS (
    SELECT DISTINCT
        p.record_id, p.R747PADR,
        c.R747CCU AS name
    FROM smf74_7_port p
    JOIN smf74_7_connector c
        ON c.record_id = p.record_id
        AND p.R747PNPC > 0
        AND c.section_index >= p.R747PXPC
        AND c.section_index < p.R747PXPC + p.R747PNPC
),
unit AS (
    SELECT record_id, R747PADR, count(*) AS units, array_join(sort_array(collect_list(name)), ' ') AS names
    FROM connected
    GROUP BY record_id, R747PADR
),
numbered AS (
    SELECT
        p.*, u.units, u.names,
        row_number() OVER (PARTITION BY p.system, p.interval_start, p.director, p.R747PADR ORDER BY p.section_index) AS turn
    FROM port p
    LEFT JOIN unit u ON u.record_id = p.record_id AND u.R747PADR = p.R747PADR
    LEFT JOIN repeated_interval o ON {{ equal("system, interval_start, interval_s", "o", "p") }}
        AND o.subject = p.director || ' ' || p.R747PADR
    WHERE o.subject IS NULL
)
SELECT
    system, interval_start, interval_s, director,
    R747PADR AS port,
    CASE
        WHEN R747PTFL_CHP THEN 'channel'
        WHEN R747PTFL_SCU THEN 'control unit'
        WHEN R747PTFL_MCU THEN 'control units'
        WHEN R747PTFL_SW THEN 'switch'
    END AS kind,
    CASE WHEN R747PTFL_CHP THEN R747PCP WHEN R747PTFL_SCU OR R747PTFL_MCU THEN coalesce(names, R747PCU) END AS attached,
    CASE WHEN R747PTFL_SCU OR R747PTFL_MCU THEN greatest(R747PCUN, coalesce(units, 0)) END AS attached_units,
    R747PSFL_INS AND NOT (R747PPFL_PNTI OR R747PPFL_POFF) AS online,
    valid * R747PNWR * 4 / span_s AS read_bytes_rate,
    valid * R747PNWT * 4 / span_s AS write_bytes_rate,
    valid * R747PNFR / span_s AS read_frame_rate,
    valid * R747PNFT / span_s AS write_frame_rate,
    valid * R747PNWR * 4 / nullif(R747PNFR, 0) AS read_frame_bytes,
    valid * R747PNWT * 4 / nullif(R747PNFT, 0) AS write_frame_bytes,
    valid * R747PFPT * 0.0025e0 / nullif(R747PNFT, 0) AS frame_pacing_ms,
    valid * R747PNER AS error_count,
    R747PPFL_PLF AS link_failed,
    utc_offset_s, file_id, record_offset AS place
FROM numbered
WHERE turn = 1

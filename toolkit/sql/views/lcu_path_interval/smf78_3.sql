-- source: smf78.3
-- formula lcu: R783ID1 (high)
-- formula channel_path: R783CSS and a dot if R783CFL bit MCS, and R783CPID (medium)
-- formula online: R783CPST bit CPO (high)
-- formula taken_rate: R783PT / SMF78INT (high)
-- formula cmr_ms: R783CMR * 0.128 / R783PT if R783CPXF bit CPXM and R783GFLG bit GCMR (medium)
-- formula director_port_busy_ratio: R783DPB / (R783PT + R783DPB + R783CUB) (high)
-- formula cu_busy_ratio: R783CUB / (R783PT + R783DPB + R783CUB) (high)
-- formula cu_busy_delay_ms: R783CBT * 0.128 / R783PT if R783CPXF bit CPXM (high)
-- formula switch_busy_count: R783SBS if R783CPXF bit CPXM (high)
-- formula transport_write_ratio: R783CTMW / R783PT if R783CPXF bit CPTD (medium)
-- formula ready_disabled_write_ratio: R783CTRD / R783CTMW if R783CPXF bit CPTD (medium)
-- formula preference: R783CPAT: 1 preferred, 2 non-preferred (high)
-- note: If an LCU and interval have several records, the one with the longest interval counts.
WITH general AS (
    SELECT
        record_id,
        max(CASE WHEN R783CFL_MCS THEN R783CSS END) AS css,
        bool_or(R783GFLG_GCMR) AS has_response
    FROM smf78_3_global
    GROUP BY record_id
),
configured AS (
    {{ of_longest_record("smf78_3_config_control", "R783ID1") }}
)
SELECT
    p.system, p.interval_start,
    max(p.interval_s) AS interval_s,
    c.R783ID1 AS lcu,
    coalesce(CAST(g.css AS STRING) || '.', '') || p.R783CPID AS channel_path,
    bool_or(p.R783CPST_CPO) AS online,
    sum(p.R783PT) / nullif(max(p.interval_s), 0) AS taken_rate,
    sum(CASE WHEN p.R783CPXF_CPXM AND g.has_response THEN p.R783CMR END) * 0.128e0 / nullif(sum(p.R783PT), 0) AS cmr_ms,
    sum(p.R783DPB) / nullif(CAST(sum(p.R783PT + p.R783DPB + p.R783CUB) AS DOUBLE), 0) AS director_port_busy_ratio,
    sum(p.R783CUB) / nullif(CAST(sum(p.R783PT + p.R783DPB + p.R783CUB) AS DOUBLE), 0) AS cu_busy_ratio,
    sum(CASE WHEN p.R783CPXF_CPXM THEN p.R783CBT END) * 0.128e0 / nullif(sum(p.R783PT), 0) AS cu_busy_delay_ms,
    sum(CASE WHEN p.R783CPXF_CPXM THEN p.R783SBS END) AS switch_busy_count,
    sum(CASE WHEN p.R783CPXF_CPTD THEN p.R783CTMW END) / nullif(CAST(sum(p.R783PT) AS DOUBLE), 0)
        AS transport_write_ratio,
    sum(CASE WHEN p.R783CPXF_CPTD THEN p.R783CTRD END)
        / nullif(CAST(sum(CASE WHEN p.R783CPXF_CPTD THEN p.R783CTMW END) AS DOUBLE), 0) AS ready_disabled_write_ratio,
    CASE max(p.R783CPAT) WHEN 1 THEN 'preferred' WHEN 2 THEN 'non-preferred' END AS preference,
    max(p.utc_offset_s) AS utc_offset_s,
    min(p.file_id) AS file_id,
    min(p.record_offset) AS place
FROM smf78_3_config_data p
JOIN configured c ON c.record_id = p.record_id AND c.section_index = p.parent_index
LEFT JOIN general g ON g.record_id = p.record_id
GROUP BY p.system, p.interval_start, c.R783ID1, coalesce(CAST(g.css AS STRING) || '.', '') || p.R783CPID

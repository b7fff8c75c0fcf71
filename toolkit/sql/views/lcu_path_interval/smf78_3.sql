-- feeds: lcu_path_interval
-- source: smf78.3
-- formula lcu: R783ID1 (high)
-- formula channel_path: R783CSS if R783CFL bit MCS, and R783CPID (medium)
-- formula online: R783CPST bit CPO (high)
-- formula taken_rate: R783PT / SMF78INT (high)
-- formula cmr_ms: R783CMR * 0.128 / R783PT if R783CPXF bit CPXM and R783GFLG bit GCMR (medium)
WITH general AS (
    SELECT
        record_id,
        max(CASE WHEN R783CFL_MCS THEN R783CSS END) AS css,
        bool_or(R783GFLG_GCMR) AS has_response
    FROM smf78_3_global
    GROUP BY record_id
)
SELECT
    'z/OS' AS platform,
    p.system,
    p.interval_start,
    max(p.interval_s) AS interval_s,
    c.R783ID1 AS lcu,
    coalesce(CAST(g.css AS VARCHAR), '') || p.R783CPID AS channel_path,
    bool_or(p.R783CPST_CPO) AS online,
    sum(p.R783PT) / nullif(max(p.interval_s), 0) AS taken_rate,
    sum(CASE WHEN p.R783CPXF_CPXM AND g.has_response THEN p.R783CMR END) * 0.128 / nullif(sum(p.R783PT), 0) AS cmr_ms,
    max(p.utc_offset_s) AS utc_offset_s,
    'smf78.3' AS source
FROM smf78_3_config_data p
JOIN smf78_3_config_control c ON c.record_id = p.record_id AND c.section_index = p.parent_index
LEFT JOIN general g ON g.record_id = p.record_id
GROUP BY p.system, p.interval_start, c.R783ID1, coalesce(CAST(g.css AS VARCHAR), '') || p.R783CPID

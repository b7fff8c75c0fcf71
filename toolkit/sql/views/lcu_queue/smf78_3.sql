-- source: smf78.3
-- formula css_delay_ms: R783CSST * 0.128 / sum of R783PT if R783CPXF bit CPXM (high)
-- formula delay_queue_length: (R783QSM - R783QCT) / R783QCT unless R783DST bit NHMA (high)
-- formula contention_rate: R783QCT / SMF78INT unless R783DST bit NHMA (high)
-- formula open_exchanges: (sum of R783CMR + R783CMRM + R783DCTM + R783DDTM) * 0.000128 / SMF78INT if R783DSTX bit L1FC (low)
-- formula transfer_concurrency: R783DCTM * 0.000128 / SMF78INT if R783DSTX bit L1FC (medium)
-- formula path_taken_rate: (sum of R783PT + R783PTM) / SMF78INT (high)
-- formula director_port_busy_ratio: R783DPB / (R783PT + R783DPB + R783CUB), each summed over the paths, R783DPBM, R783PTM and R783CUBM included (high)
-- formula cu_busy_ratio: R783CUB / (R783PT + R783DPB + R783CUB), summed likewise (high)
-- formula cu_busy_delay_ms: (sum of R783CBT + R783CBTM) * 0.128 / (sum of R783PT + R783PTM) if R783CPXF bit CPXM (high)
-- formula transport_write_ratio: (sum of R783CTMW + R783TMWM) / (sum of R783PT + R783PTM) if R783CPXF bit CPTD (medium)
-- formula ready_disabled_write_ratio: (sum of R783CTRD + R783TRDM) / (sum of R783CTMW + R783TMWM) if R783CPXF bit CPTD (medium)
-- note: If an LCU and interval have several records, the one with the longest interval counts.
-- note: No values come from a record with R783GFLG bit GCMF (channel measurement failed), and none from a path with R783CPST bit NMCD.
-- note: No source shows whether RMF counts the command response time of static paths in AVG OPEN EXCH; it is counted here.
WITH general AS (
    SELECT record_id, bool_or(R783GFLG_GCMF) AS failed, bool_or(R783GFLG_GCMR) AS has_response
    FROM smf78_3_global
    GROUP BY record_id
),
path AS (
    SELECT
        p.record_id,
        c.R783ID1 AS lcu,
        sum(p.R783PT) AS taken,
        sum(p.R783DPB) AS port_busy,
        sum(p.R783CUB) AS cu_busy,
        sum(CASE WHEN p.R783CPXF_CPXM THEN p.R783CBT END) AS cu_busy_time,
        sum(CASE WHEN p.R783CPXF_CPXM AND g.has_response THEN p.R783CMR END) AS response_time,
        sum(CASE WHEN p.R783CPXF_CPTD THEN p.R783CTMW END) AS transport_writes,
        sum(CASE WHEN p.R783CPXF_CPTD THEN p.R783CTRD END) AS ready_disabled,
        bool_or(p.R783CPXF_CPXM) AS is_extended
    FROM smf78_3_config_data p
    JOIN smf78_3_config_control c ON c.record_id = p.record_id AND c.section_index = p.parent_index
    LEFT JOIN general g ON g.record_id = p.record_id
    WHERE NOT coalesce(p.R783CPST_NMCD, FALSE)
    GROUP BY p.record_id, c.R783ID1
),
managed AS (
    SELECT
        q.*, p.is_extended,
        coalesce(p.taken, 0) + coalesce(q.R783PTM, 0) AS all_taken,
        coalesce(p.port_busy, 0) + coalesce(q.R783DPBM, 0) AS all_port_busy,
        coalesce(p.cu_busy, 0) + coalesce(q.R783CUBM, 0) AS all_cu_busy,
        p.cu_busy_time + coalesce(q.R783CBTM, 0) AS all_cu_busy_time,
        p.response_time + coalesce(q.R783CMRM, 0) AS all_response_time,
        p.transport_writes + coalesce(q.R783TMWM, 0) AS all_transport_writes,
        p.ready_disabled + coalesce(q.R783TRDM, 0) AS all_ready_disabled
    FROM ({{ of_longest_record("smf78_3_data", "R783ID2") }}) AS q
    LEFT JOIN general g ON g.record_id = q.record_id
    LEFT JOIN path p ON p.record_id = q.record_id AND p.lcu = q.R783ID2
    WHERE NOT coalesce(g.failed, FALSE)
),
summed AS (
    SELECT
        system, interval_start,
        R783ID2 AS lcu,
        max(interval_s) AS interval_s,
        nullif(max(interval_s), 0) AS span_s,
        max(utc_offset_s) AS utc_offset_s,
        nullif(sum(all_taken + all_port_busy + all_cu_busy), 0) AS attempts,
        {{ each("sum(all_NAME)", "taken port_busy cu_busy cu_busy_time transport_writes ready_disabled") }},
        sum(CASE WHEN is_extended THEN R783CSST END) AS css_time,
        sum(CASE WHEN NOT R783DST_NHMA THEN R783QCT END) AS queued,
        sum(CASE WHEN NOT R783DST_NHMA THEN R783QSM END) AS queue_sum,
        sum(CASE WHEN R783DSTX_L1FC THEN all_response_time + R783DCTM + R783DDTM END) AS open_time,
        sum(CASE WHEN R783DSTX_L1FC THEN R783DCTM END) AS transfer_time,
        min(file_id) AS file_id,
        min(record_offset) AS place
    FROM managed
    GROUP BY system, interval_start, R783ID2
)
SELECT
    system, interval_start, interval_s, lcu,
    css_time * 0.128e0 / nullif(taken, 0) AS css_delay_ms,
    (queue_sum - queued) / nullif(CAST(queued AS DOUBLE), 0) AS delay_queue_length,
    queued / span_s AS contention_rate,
    open_time * 0.000128e0 / span_s AS open_exchanges,
    transfer_time * 0.000128e0 / span_s AS transfer_concurrency,
    taken / span_s AS path_taken_rate,
    port_busy / CAST(attempts AS DOUBLE) AS director_port_busy_ratio,
    cu_busy / CAST(attempts AS DOUBLE) AS cu_busy_ratio,
    cu_busy_time * 0.128e0 / nullif(taken, 0) AS cu_busy_delay_ms,
    transport_writes / nullif(CAST(taken AS DOUBLE), 0) AS transport_write_ratio,
    ready_disabled / nullif(CAST(transport_writes AS DOUBLE), 0) AS ready_disabled_write_ratio,
    utc_offset_s, file_id,
    place
FROM summed

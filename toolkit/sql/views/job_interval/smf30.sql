-- source: smf30
-- formula program: SMF30PGM (medium)
-- formula workload: SMF30WLM (medium)
-- formula service_class: SMF30SCN (medium)
-- formula report_class: SMF30RCN (medium)
-- formula excp_count: SMF30TEX, else SMF30TEP (medium)
-- formula disk_io_rate: (SMF30AIS + SMF30EIS) / interval_s (medium)
-- formula disk_pend_ms: (SMF30AIW + SMF30EIW) * 128 us / (SMF30AIS + SMF30EIS) (medium)
-- formula disk_disc_ms: (SMF30AID + SMF30EID) * 128 us / (SMF30AIS + SMF30EIS) (medium)
-- formula disk_conn_ms: (SMF30AIC + SMF30EIC) * 128 us / (SMF30AIS + SMF30EIS) (medium)
-- formula utc_offset_s: when the record was written (SMF30TME, local time) minus SMF30IET, to half an hour; NULL where it was written later than ten minutes after (medium)
-- note: If a step and interval have several records, the first with I/O counts.
WITH class AS (
    SELECT
        record_id,
        max(nullif(trim(SMF30WLM), '')) AS workload,
        max(nullif(trim(SMF30SCN), '')) AS service_class,
        max(nullif(trim(SMF30RCN), '')) AS report_class
    FROM smf30_performance
    GROUP BY record_id
),
step AS (
    SELECT
        i.system, i.interval_start, i.interval_s, i.utc_offset_s, i.file_id, i.record_offset AS place,
        nullif(trim(i.SMF30JBN), '') AS job,
        nullif(trim(i.SMF30JNM), '') AS job_number,
        nullif(trim(i.SMF30STM), '') AS step,
        CAST(i.SMF30STN AS BIGINT) AS step_number,
        nullif(trim(i.SMF30PGM), '') AS program,
        c.workload, c.service_class, c.report_class,
        CAST(coalesce(a.SMF30TEX, a.SMF30TEP) AS BIGINT) AS excp_count,
        a.SMF30AIS + coalesce(a.SMF30EIS, 0) AS _ios,
        a.SMF30AIW + coalesce(a.SMF30EIW, 0) AS _pend,
        a.SMF30AID + coalesce(a.SMF30EID, 0) AS _disc,
        a.SMF30AIC + coalesce(a.SMF30EIC, 0) AS _conn,
        row_number() OVER (
            PARTITION BY i.system, i.interval_start, i.SMF30JBN, i.SMF30JNM, i.SMF30STN
            ORDER BY i.interval_s DESC, i.record_id, i.section_index
        ) AS _turn
    FROM smf30_identification i
    JOIN smf30_io_activity a ON a.record_id = i.record_id
    LEFT JOIN class c ON c.record_id = i.record_id
    WHERE i.interval_start IS NOT NULL AND i.interval_s > 0
)
SELECT
    *,
    _ios / interval_s AS disk_io_rate,
    {{ each("_NAME * 0.128e0 / nullif(_ios, 0)", "pend disc conn", "disk_NAME_ms") }}
FROM step
WHERE _turn = 1

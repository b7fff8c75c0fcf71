-- source: smf78.3
-- formula iop: last two digits of R783IQID (medium)
-- formula queue_rate: R783IQCT / SMF78INT (high)
-- formula queue_length: (R783IQSM - R783IQCT) / R783IQCT (high)
-- formula busy_ratio: R783IIPB / (R783IIPB + R783IIPI) if R783GFLG bit GIUD (high)
-- formula compression_busy_ratio: R783IECB / (R783IIPB + R783IIPI) if R783GFLG bit GIUD (high)
-- formula scm_busy_ratio: R783ISCB / (R783IIPB + R783IIPI) if R783GFLG bit GIUD and R783GFLX bit GSCM (high)
-- formula start_rate: R783IIFS / SMF78INT if R783GFLG bit GIUD (high)
-- formula interrupt_rate: R783IPII / SMF78INT if R783GFLG bit GIUD (high)
-- formula retried_ratio: R / (R783IIFS + R) with R = R783ICPB + R783IDPB + R783ICUB + R783IDVB, if R783GFLG bit GIUD (high)
-- formula retried_path_ratio: R783ICPB / (R783IIFS + R) (high)
-- formula retried_director_ratio: R783IDPB / (R783IIFS + R) (high)
-- formula retried_cu_ratio: R783ICUB / (R783IIFS + R) (high)
-- formula retried_device_ratio: R783IDVB / (R783IIFS + R) (high)
-- formula retries_per_start: R / R783IIFS (high)
-- note: If an interval has several records, the longest counts.
-- note: No values come from a record with R783GFLG bit GCMF (channel measurement failed) or GSPQ (no queue data: the queue columns).
WITH general AS (
    SELECT
        record_id,
        bool_or(R783GFLG_GCMF) AS failed,
        bool_or(R783GFLG_GSPQ) AS no_queue,
        bool_or(R783GFLG_GIUD) AS utilised,
        bool_or(R783GFLX_GSCM) AS has_scm
    FROM smf78_3_global
    GROUP BY record_id
),
processor AS (
    SELECT
        p.system, p.interval_start,
        right(p.R783IQID, 2) AS iop,
        max(p.interval_s) AS interval_s,
        nullif(max(p.interval_s), 0) AS span_s,
        max(p.utc_offset_s) AS utc_offset_s,
        sum(CASE WHEN NOT g.no_queue THEN p.R783IQCT END) AS queued,
        sum(CASE WHEN NOT g.no_queue THEN p.R783IQSM END) AS queue_sum,
        sum(CASE WHEN g.utilised THEN p.R783IIPB END) AS busy,
        nullif(sum(CASE WHEN g.utilised THEN p.R783IIPB + p.R783IIPI END), 0) AS looks,
        sum(CASE WHEN g.utilised THEN p.R783IIFS END) AS started,
        sum(CASE WHEN g.utilised THEN p.R783IPII END) AS interrupts,
        sum(p.R783ICPB) AS path_busy,
        sum(p.R783IDPB) AS port_busy,
        sum(p.R783ICUB) AS cu_busy,
        sum(p.R783IDVB) AS device_busy,
        sum(p.R783ICPB + p.R783IDPB + p.R783ICUB + p.R783IDVB) AS retried,
        sum(CASE WHEN g.has_scm THEN p.R783ISCB END) AS scm_busy,
        sum(p.R783IECB) AS compression_busy,
        min(p.file_id) AS file_id,
        min(p.record_offset) AS place
    FROM ({{ of_longest_record("smf78_3_iop", "system") }}) AS p
    JOIN general g ON g.record_id = p.record_id
    WHERE NOT coalesce(g.failed, FALSE)
    GROUP BY p.system, p.interval_start, right(p.R783IQID, 2)
)
SELECT
    system, interval_start, interval_s, iop,
    queued / span_s AS queue_rate,
    (queue_sum - queued) / nullif(CAST(queued AS DOUBLE), 0) AS queue_length,
    busy / looks AS busy_ratio,
    compression_busy / looks AS compression_busy_ratio,
    scm_busy / looks AS scm_busy_ratio,
    started / span_s AS start_rate,
    interrupts / span_s AS interrupt_rate,
    retried / nullif(started + retried, 0) AS retried_ratio,
    path_busy / nullif(started + retried, 0) AS retried_path_ratio,
    port_busy / nullif(started + retried, 0) AS retried_director_ratio,
    cu_busy / nullif(started + retried, 0) AS retried_cu_ratio,
    device_busy / nullif(started + retried, 0) AS retried_device_ratio,
    retried / nullif(started, 0) AS retries_per_start,
    utc_offset_s, file_id,
    place
FROM processor

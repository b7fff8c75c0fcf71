-- source: smf72.3
-- formula service_class: R723MCNM (high)
-- formula is_report_class: R723MSCF bit MRCL (high)
-- formula period: R723CPER (high)
-- formula workload: R723MWNM (high)
-- formula importance: R723CIMP; NULL for discretionary and system goals (medium)
-- formula goal: R723CRGF: CPRC percentile, CAVG response, CVEL velocity, CDSC discretionary, CSTM system (high)
-- formula goal_velocity_ratio: R723CVAL / 100 if R723CRGF bit CVEL (high)
-- formula goal_s: R723CVAL in the unit of R723CRTF: CMIL 0.001, CSEC 1, CMIN 60, CHOU 3600, if R723CRGF bit CPRC or CAVG (high)
-- formula goal_share_ratio: R723CPCT / 100 if R723CRGF bit CPRC (high)
-- formula velocity_ratio: R723CTOU / (R723CTOU + R723CTOT) (high)
-- formula transaction_rate: R723CRCP / SMF72INT (high)
-- formula response_s: R723CTET * 1024 us / R723CRCP (high)
-- formula performance_index: goal_velocity_ratio / velocity_ratio, or response_s / goal_s if R723CRGF bit CAVG; NULL of report classes of several service classes (R723CRS1 bit CRPH) (medium)
-- formula disk_io_rate: R723CIRC / SMF72INT (high)
-- formula disk_wait_ms: R723CIOT * 128 us / R723CIRC (high)
-- formula disk_pend_ms: (R723CIWT - R723CIOT) * 128 us / R723CIRC (medium)
-- formula disk_disc_ms: R723CIDT * 128 us / R723CIRC (high)
-- formula disk_conn_ms: R723CICT * 128 us / R723CIRC (high)
-- formula disk_response_ms: (R723CIWT + R723CIDT + R723CICT) * 128 us / R723CIRC (high)
-- formula disk_using_ratio: R723CIOU / R723CTSA (high)
-- formula disk_delay_ratio: R723CIOD / R723CTSA (high)
-- formula cpu_using_ratio: R723CCUS / R723CTSA (high)
-- formula cpu_delay_ratio: R723CCDE / R723CTSA (high)
-- formula counts_io_delay: R723MSCF bit MOVE (high)
-- note: If a class and interval have several records, the one with the longest interval counts.
WITH class AS (
    SELECT
        record_id,
        max(nullif(trim(R723MCNM), '')) AS service_class,
        max(nullif(trim(R723MWNM), '')) AS workload,
        bool_or(R723MSCF_MRCL) AS is_report_class,
        bool_or(R723MSCF_MOVE) AS counts_io_delay
    FROM smf72_3_control
    GROUP BY record_id
),
of_class AS (
    SELECT
        p.*, c.service_class, c.workload, c.is_report_class, c.counts_io_delay,
        coalesce(c.service_class, '') || CASE WHEN c.is_report_class THEN ' report ' ELSE ' ' END
            || CAST(p.R723CPER AS STRING) AS class_period
    FROM smf72_3_period p
    JOIN class c ON c.record_id = p.record_id
),
{{ counted_once("of_class", "class_period") }},
period AS (
    SELECT
        p.*,
        CASE WHEN p.R723CRGF_CVEL THEN p.R723CVAL / 100e0 END AS goal_velocity_ratio,
        CASE WHEN p.R723CRGF_CPRC OR p.R723CRGF_CAVG THEN p.R723CVAL
            * CASE WHEN p.R723CRTF_CMIL THEN 0.001 WHEN p.R723CRTF_CSEC THEN 1e0 WHEN p.R723CRTF_CMIN THEN 60e0
                WHEN p.R723CRTF_CHOU THEN 3600e0 END END AS goal_s,
        p.R723CTOU / nullif(CAST(p.R723CTOU + p.R723CTOT AS DOUBLE), 0) AS velocity_ratio,
        p.R723CTET * 0.001024 / nullif(p.R723CRCP, 0) AS response_s,
        0.128 / nullif(p.R723CIRC, 0) AS unit_ms,
        nullif(p.R723CTSA, 0) AS looks
    FROM once p
)
SELECT
    system, interval_start, interval_s, service_class, is_report_class,
    CAST(R723CPER AS BIGINT) AS period,
    workload,
    CASE WHEN NOT (R723CRGF_CDSC OR R723CRGF_CSTM) THEN CAST(nullif(R723CIMP, 0) AS BIGINT) END AS importance,
    CASE WHEN R723CRGF_CVEL THEN 'velocity' WHEN R723CRGF_CAVG THEN 'response' WHEN R723CRGF_CPRC THEN 'percentile'
        WHEN R723CRGF_CDSC THEN 'discretionary' WHEN R723CRGF_CSTM THEN 'system' END AS goal,
    goal_velocity_ratio, goal_s,
    CASE WHEN R723CRGF_CPRC THEN R723CPCT / 100e0 END AS goal_share_ratio,
    velocity_ratio,
    R723CRCP / interval_s AS transaction_rate,
    response_s,
    CASE
        WHEN R723CRS1_CRPH THEN NULL
        WHEN R723CRGF_CVEL THEN goal_velocity_ratio / nullif(velocity_ratio, 0)
        WHEN R723CRGF_CAVG THEN response_s / nullif(goal_s, 0)
    END AS performance_index,
    R723CIRC / interval_s AS disk_io_rate,
    R723CIOT * unit_ms AS disk_wait_ms,
    (R723CIWT - R723CIOT) * unit_ms AS disk_pend_ms,
    R723CIDT * unit_ms AS disk_disc_ms,
    R723CICT * unit_ms AS disk_conn_ms,
    (R723CIWT + R723CIDT + R723CICT) * unit_ms AS disk_response_ms,
    R723CIOU / looks AS disk_using_ratio,
    R723CIOD / looks AS disk_delay_ratio,
    R723CCUS / looks AS cpu_using_ratio,
    R723CCDE / looks AS cpu_delay_ratio,
    counts_io_delay, utc_offset_s, file_id, record_offset AS place
FROM period

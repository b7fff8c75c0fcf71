-- view: lcu_repeat
-- layer: derived
-- reach: a day
-- title: Intervals of type 78.3 that repeat longer or shorter ones of the same system
-- grain: one row per system, subject, interval_start, interval_s
-- columns: system
-- column subject VARCHAR []: LCU (R783ID1, R783ID2); the system for I/O processors
-- columns: interval_start, interval_s
-- note: If two interval lengths overlap, the choice is as for devices, see device_repeat.
WITH section AS (
    SELECT s.system, s.interval_start, s.interval_s, s.subject, NOT coalesce(g.failed, FALSE) AS is_good
    FROM (
        SELECT record_id, system, interval_start, interval_s, R783ID2 AS subject FROM smf78_3_data
        UNION ALL
        SELECT record_id, system, interval_start, interval_s, R783ID1 FROM smf78_3_config_control
        UNION ALL
        SELECT record_id, system, interval_start, interval_s, system FROM smf78_3_iop
    ) AS s
    LEFT JOIN (
        SELECT record_id, bool_or(R783GFLG_GCMF) AS failed FROM smf78_3_global GROUP BY record_id
    ) g ON g.record_id = s.record_id
),
repeated_interval AS (
    {{ repeats("section", "smf78_3_record") }}
)
SELECT system, subject, interval_start, interval_s FROM repeated_interval

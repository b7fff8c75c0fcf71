-- source: smf70.1
-- formula cpu: SMF70CID in hexadecimal (high)
-- formula cpu_type: SMF70TYP: 0 CP, 1 zAAP, 2 zIIP (high)
-- formula busy_ratio: (SMF70INT - SMF70PAT - SMF70WAT) / (SMF70INT - SMF70PAT) if SMF70CNF bits STA on and VAC off (medium)
-- formula parked_ratio: SMF70PAT / SMF70INT if SMF70CNF bits STA on and VAC off (high)
-- formula interrupt_rate: (SMF70SLH + SMF70TPI) / SMF70INT (high)
-- formula polled_ratio: SMF70TPI / (SMF70SLH + SMF70TPI) (high)
-- note: A processor that was varied on or off in the interval, or is offline at its end, has no busy_ratio. If an interval has several records, the longest counts.
WITH section AS (
    SELECT
        system, interval_start, interval_s, CAST(SMF70CID AS STRING) AS subject,
        CASE WHEN SMF70CNF_STA AND NOT coalesce(SMF70CNF_VAC, FALSE) THEN 2 ELSE 1 END AS grade
    FROM smf70_1_cpu_data
),
repeated_interval AS (
    {{ left_out_of("section", "system") }}
),
processor AS (
    SELECT
        p.system,
        p.interval_start,
        p.interval_s,
        p.utc_offset_s,
        lpad(hex(CAST(p.SMF70CID AS BIGINT)), 2, '0') AS cpu,
        p.SMF70TYP,
        CASE WHEN p.SMF70CNF_STA AND NOT p.SMF70CNF_VAC THEN p.interval_s - coalesce(p.SMF70PAT, 0) / 4096e6 END AS unparked_s,
        CASE WHEN p.SMF70CNF_STA AND NOT p.SMF70CNF_VAC THEN p.SMF70PAT / 4096e6 END AS parked_s,
        p.SMF70WAT / 4096e6 AS wait_s,
        CAST(p.SMF70TPI AS DOUBLE) AS polled,
        CAST(p.SMF70SLH AS DOUBLE) + p.SMF70TPI AS interrupts,
        p.file_id,
        p.record_offset,
        row_number() OVER (
            PARTITION BY p.system, p.interval_start, p.SMF70CID ORDER BY p.interval_s DESC, p.record_id, p.section_index
        ) AS turn
    FROM smf70_1_cpu_data p
    {{ join_repeats("p", "CAST(p.SMF70CID AS STRING)", "repeated_interval") }}
    WHERE p.interval_start IS NOT NULL AND p.interval_s > 0 AND o.subject IS NULL
)
SELECT
    system,
    interval_start,
    interval_s,
    cpu,
    CASE SMF70TYP WHEN 0 THEN 'CP' WHEN 1 THEN 'zAAP' WHEN 2 THEN 'zIIP' END AS cpu_type,
    -- clocks may carry the wait a little beyond the interval
    CASE WHEN unparked_s > 0 AND wait_s <= 1.01 * unparked_s THEN 1 - least(wait_s / unparked_s, 1) END AS busy_ratio,
    parked_s / interval_s AS parked_ratio,
    interrupts / interval_s AS interrupt_rate,
    polled / nullif(interrupts, 0) AS polled_ratio,
    utc_offset_s,
    file_id,
    record_offset AS place
FROM processor
WHERE turn = 1

-- source: smf70.1
-- formula cpu: SMF70CID in hexadecimal (high)
-- formula cpu_type: SMF70TYP: 0 CP, 1 zAAP, 2 zIIP (high)
-- formula busy_ratio: (SMF70INT - SMF70PAT - SMF70WAT) / (SMF70INT - SMF70PAT) if SMF70CNF bits STA on and VAC off (medium)
-- formula parked_ratio: SMF70PAT / SMF70INT if SMF70CNF bits STA on and VAC off (high)
-- formula interrupt_rate: (SMF70SLH + SMF70TPI) / SMF70INT (high)
-- formula polled_ratio: SMF70TPI / (SMF70SLH + SMF70TPI) (high)
-- note: A processor that was varied on or off in the interval, or is offline at its end, has no busy_ratio. If an interval has several records, the longest counts.
WITH {{ counted_once("smf70_1_cpu_data", "CAST(SMF70CID AS STRING)",
    "CASE WHEN SMF70CNF_STA AND NOT coalesce(SMF70CNF_VAC, FALSE) THEN 2 ELSE 1 END") }},
processor AS (
    SELECT
        p.*,
        CASE WHEN SMF70CNF_STA AND NOT SMF70CNF_VAC THEN interval_s - coalesce(SMF70PAT, 0) / 4096e6 END AS unparked_s,
        CASE WHEN SMF70CNF_STA AND NOT SMF70CNF_VAC THEN SMF70PAT / 4096e6 END AS parked_s,
        SMF70WAT / 4096e6 AS wait_s,
        CAST(SMF70TPI AS DOUBLE) AS polled,
        CAST(SMF70SLH AS DOUBLE) + SMF70TPI AS interrupts
    FROM once p
)
SELECT
    system, interval_start, interval_s,
    lpad(hex(CAST(SMF70CID AS BIGINT)), 2, '0') AS cpu,
    CASE SMF70TYP WHEN 0 THEN 'CP' WHEN 1 THEN 'zAAP' WHEN 2 THEN 'zIIP' END AS cpu_type,
    -- clocks may carry the wait a little beyond the interval
    CASE WHEN unparked_s > 0 AND wait_s <= 1.01 * unparked_s THEN 1 - least(wait_s / unparked_s, 1) END AS busy_ratio,
    parked_s / interval_s AS parked_ratio,
    interrupts / interval_s AS interrupt_rate,
    polled / nullif(interrupts, 0) AS polled_ratio,
    utc_offset_s, file_id, record_offset AS place
FROM processor

-- question: alias_subjects
-- title: Where each volume and LCU is, and how long it waits over the whole span
-- grain: one row per subject
-- column subject VARCHAR []: Volume or LCU and its system
-- column system VARCHAR []: System that measured
-- column lcu VARCHAR []: Logical control unit
-- column wait_ms DOUBLE [milliseconds]: IOSQ per I/O
-- column wait_p95_ms DOUBLE [milliseconds]: IOSQ per I/O in all but a twentieth of the intervals
SELECT volume || ' on ' || system AS subject, system, lcu, wait_ms, wait_p95_ms FROM pav_candidate
UNION ALL
SELECT
    'LCU ' || lcu || ' on ' || system AS subject,
    system,
    lcu,
    sum(io_rate * interval_s * wait_ms) / nullif(sum(io_rate * interval_s), 0) AS wait_ms,
    NULL AS wait_p95_ms
FROM lcu_interval
GROUP BY platform, system, lcu
ORDER BY subject

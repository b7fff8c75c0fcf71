-- feeds: lcu_extra
-- source: rmf.ioq
-- formula platform: constant z/OS (high)
-- formula system: SYSTEM ID of the page head, or resource name of the XML (high)
-- formula interval_start: the printed local time where the report tells no offset from UTC (high)
-- formula interval_s: INTERVAL (high)
-- formula lcu: LCU of the row for all its paths (*) (high)
-- formula alias_high_water: HPAV MAX; NULL with SuperPAV, where the printed number holds borrowed aliases too (medium)
-- formula alias_denied_ratio: HPAV WAIT (high)
-- formula is_superpav: the LCU names an alias management group (medium)
-- note: The report prints no counts of HyperPAV requests; those columns are NULL.
SELECT
    'z/OS' AS platform,
    system,
    interval_start,
    interval_s,
    lcu,
    CASE WHEN amg IS NULL THEN CAST(hpav_max AS BIGINT) END AS alias_high_water,
    hpav_wait_ratio AS alias_denied_ratio,
    amg IS NOT NULL AS is_superpav,
    'rmf.ioq' AS source
FROM (
    SELECT
        i.*,
        row_number() OVER (PARTITION BY i.system, i.interval_start, i.lcu ORDER BY i.file_id, i.line) AS turn
    FROM rmf_ioq_lcu i
    WHERE scope = 'LCU' AND path = '*' AND lcu IS NOT NULL AND (hpav_max IS NOT NULL OR hpav_wait_ratio IS NOT NULL)
) AS numbered
WHERE turn = 1

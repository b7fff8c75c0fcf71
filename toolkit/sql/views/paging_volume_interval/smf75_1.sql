-- source: smf75.1
-- formula device: 0 and SMF75CHA; NULL if SMF75FL2 bit SCM (medium)
-- formula volser: SMF75VOL (high)
-- formula area: constant PAGE (high)
-- formula data_set: SMF75DSN (high)
-- formula page_data_set_type: SMF75PST: PLPA, COMMON or LOCAL (high)
-- formula used_ratio: SMF75LVU / SMF75SLA, else SMF75AVU / SMF75SLA (high)
-- formula most_used_ratio: SMF75MXU / SMF75SLA (high)
-- formula slots: SMF75SLA (high)
-- formula unusable_slots: SMF75BDS (high)
-- formula in_use_ratio: SMF75USE / SMF75SAM (high)
-- formula total_page_rate: SMF75PGX / SMF75INT (high)
-- formula io_rate: SMF75SIO / SMF75INT (high)
-- note: If a page data set and interval have several records, the one with the longest interval counts.
WITH {{ counted_once("smf75_1_page_data_set", "SMF75DSN") }},
page_data_set AS (
    SELECT *, nullif(CAST(SMF75SLA AS DOUBLE), 0) AS slots FROM once
)
SELECT
    system, interval_start, interval_s,
    CASE WHEN NOT coalesce(SMF75FL2_SCM, FALSE) THEN '0' || SMF75CHA END AS device,
    nullif(trim(SMF75VOL), '') AS volser,
    nullif(trim(SMF75DSN), '') AS data_set,
    CASE WHEN SMF75PST_PLPA THEN 'PLPA' WHEN SMF75PST_COMMON THEN 'COMMON' WHEN SMF75PST_LOCAL THEN 'LOCAL' END
        AS page_data_set_type,
    coalesce(SMF75LVU, SMF75AVU) / slots AS used_ratio,
    SMF75MXU / slots AS most_used_ratio,
    CAST(slots AS BIGINT) AS slots,
    CAST(SMF75BDS AS BIGINT) AS unusable_slots,
    SMF75USE / nullif(CAST(samples AS DOUBLE), 0) AS in_use_ratio,
    SMF75PGX / interval_s AS total_page_rate,
    SMF75SIO / interval_s AS io_rate,
    utc_offset_s, file_id, record_offset AS place
FROM page_data_set

-- feeds: device_interval
-- source: rmf.device
-- formula platform: constant z/OS (high)
-- formula system: SYSTEM ID of the page head, or resource name of the XML (high)
-- formula interval_start: printed start, brought to UTC by listing_interval where the system's records tell its offset (high)
-- formula interval_s: INTERVAL (high)
-- formula device: DEV NUM, subchannel set 0 put in front of 4 digits (high)
-- formula online: false where the row says OFFLINE in place of numbers; NULL where it says something else (medium)
-- formula volser: VOLUME SERIAL (high)
-- formula device_type: DEVICE TYPE (high)
-- formula lcu: LCU (high)
-- formula storage_group: STORAGE GROUP (high)
-- formula role: base if PAV is above 1 or marked H or *, single if PAV is 1, unknown where no PAV is printed (medium)
-- formula exposures: PAV; HyperPAV: the average in use (high)
-- formula is_hyperpav: PAV marked H (high)
-- formula io_rate: DEVICE ACTIVITY RATE (high)
-- formula wait_ms: AVG IOSQ TIME (high)
-- formula wait_source: reported (high)
-- formula pend_ms: AVG PEND TIME (high)
-- formula cmr_ms: AVG CMR DLY (high)
-- formula device_busy_ms: AVG DB DLY (high)
-- formula disc_ms: AVG DISC TIME (high)
-- formula conn_ms: AVG CONN TIME (high)
-- formula response_ms: AVG IOSQ TIME + AVG PEND TIME + AVG DISC TIME + AVG CONN TIME; AVG RESP TIME where not all of them are printed (high)
-- formula connect_ratio: % DEV CONN / 100, as printed: whether RMF divides by the exposures is not settled (medium)
-- formula busy_ratio: % DEV UTIL / 100, as printed (medium)
-- formula reserved_ratio: % DEV RESV / 100 (high)
-- formula utc_offset_s: the report's own, else that of the system's records near that time; NULL if there are none (high)
-- formula device_class: constant dasd (high)
-- formula base_device: the device itself: RMF counts aliases with their base (high)
-- formula allocated_ratio: % ANY ALLOC / 100 (medium)
-- note: Left out where records of the system (74.1) or a listing of shorter intervals measured the same time, see listing_interval.
-- note: A report read from several files (listing and XML) counts once: the first row with measurements is kept.
-- note: Rows whose system or time could not be read stay in the raw table only.
-- note: An idle device (rate 0) has no times, as from the record, though RMF prints them as 0.
WITH measured AS (
    SELECT
        d.*,
        l.interval_start AS start,
        l.utc_offset_s AS offset_s,
        CASE WHEN length(d.device) = 4 THEN '0' || d.device ELSE d.device END AS address,
        CASE WHEN coalesce(d.activity_rate, 1) > 0 THEN 1 END AS timed,
        coalesce(d.pav_mark, '') AS mark,
        row_number() OVER (
            PARTITION BY d.system, l.interval_start, right('0' || d.device, 5)
            ORDER BY CASE WHEN d.resp_ms IS NULL THEN 1 ELSE 0 END, d.file_id, d.line
        ) AS turn
    FROM rmf_dasd_device d
    JOIN listing_interval l
        ON l.platform = 'z/OS'
        AND l.report = 'device'
        AND l.system = d.system
        AND l.printed_start = d.interval_start
        AND l.printed_offset_s IS NOT DISTINCT FROM d.utc_offset_s
        AND l.printed_s IS NOT DISTINCT FROM d.interval_s
        AND l.kept
)
SELECT
    'z/OS' AS platform,
    system,
    start AS interval_start,
    interval_s,
    address AS device,
    online,
    volser,
    device_type,
    lcu,
    storage_group,
    CASE WHEN pav IS NULL THEN 'unknown' WHEN pav > 1 OR mark <> '' THEN 'base' ELSE 'single' END AS role,
    pav AS exposures,
    CASE WHEN pav IS NOT NULL THEN mark LIKE '%H%' END AS is_hyperpav,
    activity_rate AS io_rate,
    timed * iosq_ms AS wait_ms,
    CASE WHEN timed * iosq_ms IS NOT NULL THEN 'reported' END AS wait_source,
    timed * pend_ms AS pend_ms,
    timed * cmr_ms AS cmr_ms,
    timed * db_ms AS device_busy_ms,
    timed * disc_ms AS disc_ms,
    timed * conn_ms AS conn_ms,
    timed * (pend_ms + disc_ms + conn_ms) AS service_ms,
    timed * coalesce(iosq_ms + pend_ms + disc_ms + conn_ms, resp_ms) AS response_ms,
    activity_rate * timed * (pend_ms + disc_ms + conn_ms) / 1000 AS in_service,
    activity_rate * timed * iosq_ms / 1000 AS queue_length,
    conn_pct / 100 AS connect_ratio,
    util_pct / 100 AS busy_ratio,
    resv_pct / 100 AS reserved_ratio,
    'rmf.device' AS source,
    offset_s AS utc_offset_s,
    'dasd' AS device_class,
    address AS base_device,
    alloc_pct / 100 AS allocated_ratio
FROM measured
WHERE turn = 1

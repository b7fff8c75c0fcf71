-- source: rmf.device
-- formula device: DEV NUM, subchannel set 0 put in front of 4 digits (high)
-- formula online: false where the row says OFFLINE in place of numbers; NULL where it says something else (medium)
-- formula volser: VOLUME SERIAL (high)
-- formula device_type: DEVICE TYPE (high)
-- formula lcu: LCU (high)
-- formula storage_group: STORAGE GROUP (high)
-- formula role: base if PAV is above 1 or marked H or *, single if PAV is 1, unknown where no PAV is printed (medium)
-- formula exposures: PAV; HyperPAV: the average in use (high)
-- formula is_hyperpav: PAV marked H (high)
-- formula io_rate: DEVICE ACTIVITY RATE; ASYNCH of Synchronous I/O Device Activity where the device stands there alone (high)
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
-- formula device_class: constant dasd (high)
-- formula base_device: the device itself: RMF counts aliases with their base (high)
-- formula allocated_ratio: % ANY ALLOC / 100 (medium)
-- formula interrupt_delay_ms: AVG INT DLY (high)
-- formula open_exchanges: rate * (AVG CMR DLY + AVG DISC TIME + AVG CONN TIME) / 1000 (medium)
-- formula allocations: AVG NMBR ALLOC (high)
-- formula mount_pending_ratio: % MT PEND / 100 (high)
-- formula cylinders: NUMBER OF CYL (high)
-- formula not_ready_ratio: % NOT READY / 100; the DASD layouts we know don't print it (low)
-- formula is_sync_capable: S behind the rate, or a row of Synchronous I/O Device Activity (medium)
-- formula sync_read_rate: Synchronous I/O Device Activity: DEVICE ACTIVITY RATE SYNCH READ (medium)
-- formula sync_write_rate: the same, SYNCH WRITE (medium)
-- formula sync_read_ms: AVG RESP TIME SYNCH READ; NULL without reads (medium)
-- formula sync_write_ms: AVG RESP TIME SYNCH WRITE; NULL without writes (medium)
-- formula sync_read_bytes_rate: SYNCH TRANSFER RATE READ * 10^6, taken for megabytes (low)
-- formula sync_write_bytes_rate: SYNCH TRANSFER RATE WRITE * 10^6, taken for megabytes (low)
-- formula sync_request_rate: (SYNCH READ + SYNCH WRITE) / (% REQ SUCCESS / 100) (medium)
-- formula sync_success_ratio: % REQ SUCCESS / 100 (medium)
-- formula sync_link_busy_ratio: % LINK BUSY / 100 (medium)
-- formula sync_miss_ratio: % CACHE MISS / 100 (medium)
-- formula sync_read_reject_ratio: % REJECTS READ / 100 (medium)
-- formula sync_write_reject_ratio: % REJECTS WRITE / 100 (medium)
-- formula total_io_rate: DEVICE ACTIVITY RATE + SYNCH READ + SYNCH WRITE (medium)
-- formula total_response_ms: mean of response_ms and the two synchronous response times, weighted by their rates (medium)
-- note: Ignored where records of the system (74.1) or shorter intervals of a listing hold the same time, see left_out.
-- note: A report read from several files (listing and XML) counts once: the first row with measurements is kept.
-- note: Rows whose system or time could not be read stay in the raw table only.
-- note: A device that is only in Synchronous I/O Device Activity has a row with the values printed there (ASYNC is the normal I/O).
-- note: An idle device (rate 0) has no times, as in records, although RMF prints them as 0.
WITH measured AS (
    SELECT
        d.*,
        right('0' || device, 5) AS address,
        CASE WHEN coalesce(activity_rate, 1) > 0 THEN 1 END AS timed,
        coalesce(pav_mark, '') AS mark
    FROM (
        {{ first_printed("rmf_dasd_device", "'z/OS'", "'device'", "right('0' || i.device, 5)", "right('0' || i.device, 5)",
            order="CASE WHEN i.resp_ms IS NULL THEN 1 ELSE 0 END") }}
    ) AS d
),
synchronous AS (
    SELECT
        s.*,
        sync_read_rate + sync_write_rate AS sync_rate,
        CASE WHEN sync_read_rate > 0 THEN sync_read_rate * sync_read_resp_ms ELSE 0 END
            + CASE WHEN sync_write_rate > 0 THEN sync_write_rate * sync_write_resp_ms ELSE 0 END AS sync_work,
        right('0' || device, 5) AS address
    FROM (
        {{ first_printed("rmf_sync_device", "'z/OS'", "'device'", "right('0' || i.device, 5)", "right('0' || i.device, 5)",
            "i.device IS NOT NULL AND (i.sync_read_rate IS NOT NULL OR i.sync_write_rate IS NOT NULL)") }}
    ) AS s
),
joined AS (
    SELECT
        {{ each("coalesce(m.NAME, s.NAME)", "system start interval_s offset_s address file_id") }},
        CASE WHEN m.file_id IS NULL THEN s.line ELSE m.line END AS line,
        {{ each("coalesce(m.NAME, s.NAME)", "volser device_type lcu storage_group cylinders") }},
        m.online, m.pav, m.mark, m.timed, m.iosq_ms, m.pend_ms, m.cmr_ms, m.db_ms, m.disc_ms, m.conn_ms,
        m.conn_pct, m.util_pct, m.resv_pct, m.alloc_pct, m.int_ms, m.alloc_avg, m.not_ready_pct, m.mount_pending_pct,
        m.sync_mark,
        coalesce(m.activity_rate, s.async_rate) AS activity_rate,
        s.sync_read_rate, s.sync_write_rate, s.sync_read_resp_ms, s.sync_write_resp_ms, s.sync_read_mb_rate, s.sync_write_mb_rate,
        s.sync_success_pct, s.sync_link_busy_pct, s.sync_cache_miss_pct, s.sync_read_reject_pct, s.sync_write_reject_pct,
        s.sync_rate, s.sync_work,
        CASE WHEN s.system IS NULL THEN 0 ELSE s.sync_rate END AS all_sync_rate,
        CASE
            WHEN m.system IS NOT NULL THEN m.timed * coalesce(m.iosq_ms + m.pend_ms + m.disc_ms + m.conn_ms, m.resp_ms)
            WHEN s.async_rate > 0 THEN s.async_resp_ms
        END AS whole_ms
    FROM measured m
    FULL JOIN synchronous s ON s.system = m.system AND s.start = m.start AND s.address = m.address
)
SELECT
    system,
    start AS interval_start,
    interval_s,
    address AS device,
    online, volser, device_type, lcu, storage_group,
    CASE WHEN pav IS NULL THEN 'unknown' WHEN pav > 1 OR mark <> '' THEN 'base' ELSE 'single' END AS role,
    pav AS exposures,
    CASE WHEN pav IS NOT NULL THEN mark LIKE '%H%' END AS is_hyperpav,
    activity_rate AS io_rate,
    timed * iosq_ms AS wait_ms,
    CASE WHEN timed * iosq_ms IS NOT NULL THEN 'reported' END AS wait_source,
    {{ each("timed * NAME", "pend_ms cmr_ms disc_ms conn_ms") }},
    timed * db_ms AS device_busy_ms,
    timed * (pend_ms + disc_ms + conn_ms) AS service_ms,
    whole_ms AS response_ms,
    activity_rate * timed * (pend_ms + disc_ms + conn_ms) / 1000 AS in_service,
    activity_rate * timed * iosq_ms / 1000 AS queue_length,
    conn_pct / 100 AS connect_ratio,
    util_pct / 100 AS busy_ratio,
    resv_pct / 100 AS reserved_ratio,
    offset_s AS utc_offset_s,
    address AS base_device,
    alloc_pct / 100 AS allocated_ratio,
    timed * int_ms AS interrupt_delay_ms,
    activity_rate * timed * (cmr_ms + disc_ms + conn_ms) / 1000 AS open_exchanges,
    alloc_avg AS allocations,
    {{ each("NAME_pct / 100", "not_ready mount_pending sync_success sync_link_busy sync_read_reject sync_write_reject",
        "NAME_ratio") }},
    cylinders,
    sync_mark IS NOT NULL OR sync_rate IS NOT NULL AS is_sync_capable,
    sync_read_rate, sync_write_rate,
    CASE WHEN sync_read_rate > 0 THEN sync_read_resp_ms END AS sync_read_ms,
    CASE WHEN sync_write_rate > 0 THEN sync_write_resp_ms END AS sync_write_ms,
    sync_read_mb_rate * 1e6 AS sync_read_bytes_rate,
    sync_write_mb_rate * 1e6 AS sync_write_bytes_rate,
    sync_rate / nullif(sync_success_pct / 100, 0) AS sync_request_rate,
    sync_cache_miss_pct / 100 AS sync_miss_ratio,
    activity_rate + all_sync_rate AS total_io_rate,
    CASE
        WHEN all_sync_rate = 0 THEN whole_ms
        WHEN activity_rate = 0 THEN sync_work / sync_rate
        ELSE (activity_rate * whole_ms + sync_work) / (activity_rate + sync_rate)
    END AS total_response_ms,
    file_id, line AS place
FROM joined

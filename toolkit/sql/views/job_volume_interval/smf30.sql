-- source: smf30
-- formula dd: SMF30DDN (low)
-- formula device: 0 and SMF30CUA (low)
-- formula volser: volser of device_interval (smf74.1) for that system, device and time (low)
-- formula excp_count: sum of SMF30BLK (low)
-- formula excp_rate: sum of SMF30BLK / interval_s (low)
-- formula conn_ms: sum of SMF30DCT * 128 us / sum of SMF30BLK (low)
-- formula connect_ratio: sum of SMF30DCT * 128 us / interval_s (low)
-- formula max_block_bytes: SMF30XBS, else SMF30BSZ (low)
-- formula utc_offset_s: as in job_interval (medium)
-- note: Several entries of one DD and device are added up. Where a device had several volumes in the interval, the later one counts.
WITH step AS (
    SELECT
        record_id,
        max(nullif(trim(SMF30JBN), '')) AS job,
        max(nullif(trim(SMF30JNM), '')) AS job_number,
        max(nullif(trim(SMF30STM), '')) AS step,
        max(CAST(SMF30STN AS BIGINT)) AS step_number
    FROM smf30_identification
    GROUP BY record_id
),
used AS (
    SELECT
        e.system, e.interval_start, s.job, s.job_number, s.step_number,
        nullif(trim(e.SMF30DDN), '') AS dd,
        '0' || e.SMF30CUA AS device,
        max(s.step) AS step,
        max(e.interval_s) AS interval_s,
        max(e.utc_offset_s) AS utc_offset_s,
        CAST(sum(e.SMF30BLK) AS BIGINT) AS excp_count,
        sum(e.SMF30DCT) * 0.000128e0 AS _conn_s,
        CAST(max(coalesce(e.SMF30XBS, e.SMF30BSZ)) AS BIGINT) AS max_block_bytes,
        min(e.file_id) AS file_id,
        min(e.record_offset) AS place
    FROM smf30_excp e
    JOIN step s ON s.record_id = e.record_id
    WHERE e.interval_start IS NOT NULL AND e.interval_s > 0
    GROUP BY e.system, e.interval_start, s.job, s.job_number, s.step_number, e.SMF30DDN, e.SMF30CUA
),
timed AS (
    SELECT
        *, unix_micros(interval_start) AS _from_us, unix_micros(interval_start) + CAST(interval_s * 1e6 AS BIGINT) AS _until_us
    FROM used
),
mounted AS (
    SELECT
        system, '0' || SMF74NUM AS device, nullif(trim(SMF74SER), '') AS volser, interval_start,
        unix_micros(interval_start) AS from_us,
        unix_micros(interval_start) + CAST(interval_s * 1e6 AS BIGINT) AS until_us
    FROM smf74_1_device_data
    WHERE interval_start IS NOT NULL AND interval_s > 0 AND coalesce(SMF74SCS, 0) = 0
),
found AS (
    SELECT
        u.system, u.interval_start, u.job, u.job_number, u.step_number, u.dd, u.device,
        max_by(m.volser, m.interval_start) AS volser
    FROM mounted m
    JOIN timed u ON m.system = u.system AND m.device = u.device AND m.from_us < u._until_us AND u._from_us < m.until_us
    WHERE m.volser IS NOT NULL
    GROUP BY u.system, u.interval_start, u.job, u.job_number, u.step_number, u.dd, u.device
)
SELECT
    u.*, f.volser,
    u.excp_count / u.interval_s AS excp_rate,
    1000 * u._conn_s / nullif(u.excp_count, 0) AS conn_ms,
    u._conn_s / u.interval_s AS connect_ratio
FROM timed u
LEFT JOIN found f
    ON f.system = u.system AND f.interval_start = u.interval_start AND f.device = u.device
    AND coalesce(f.job, '') = coalesce(u.job, '') AND coalesce(f.job_number, '') = coalesce(u.job_number, '')
    AND coalesce(f.step_number, -1) = coalesce(u.step_number, -1) AND coalesce(f.dd, '') = coalesce(u.dd, '')

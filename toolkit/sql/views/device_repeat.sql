-- view: device_repeat
-- layer: derived
-- reach: a day
-- stored: in memory
-- title: Device sections of type 74.1 that repeat those of another record
-- grain: one row per record_id, section_index
-- columns: system, interval_start, device, record_id, section_index
-- note: The same interval dumped twice, by two programs or in two overlapping files, is one measurement. Byte-identical records are removed earlier. If a device has several sections with the same start, the longest interval counts. A longer interval may hold the middle of shorter ones, if a second monitor writes the same records at another length. The shorter ones count if they cover all of it but a fiftieth, else the longer one. Sections without numbers (offline, no measurement) replace nothing. Intervals of one length never replace each other: if a clock was set back, both were measured.
-- note: Only records of an interval with overlapping device ranges are compared.
WITH section AS (
    SELECT
        system, interval_start, interval_s, CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS subject,
        coalesce(SMF74CNF_STA, FALSE) AND NOT coalesce(SMF74CNF_VAC OR SMF74CNF_CMB, FALSE) AS is_good
    FROM smf74_1_device_data
),
repeated_interval AS (
    {{ repeats("section", "smf74_1_record") }}
),
span AS (
    -- a record has one system and interval: as keys, a filter on them reaches the files
    SELECT
        record_id,
        coalesce(SMF74SCS, 0) AS subchannel_set,
        system,
        interval_start,
        min(SMF74NUM) AS first_device,
        max(SMF74NUM) AS last_device
    FROM smf74_1_device_data
    GROUP BY record_id, coalesce(SMF74SCS, 0), system, interval_start
),
followed AS (
    SELECT
        s.*,
        max(last_device) OVER (
            PARTITION BY system, interval_start, subchannel_set
            ORDER BY first_device, record_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS repeated_device
    FROM span s
),
doubtful AS (
    SELECT system, interval_start FROM followed WHERE first_device <= repeated_device
    UNION
    SELECT system, interval_start FROM repeated_interval
),
numbered AS (
    SELECT
        d.system,
        d.interval_start,
        CAST(coalesce(d.SMF74SCS, 0) AS STRING) || d.SMF74NUM AS device,
        d.record_id,
        d.section_index,
        o.subject IS NOT NULL AS is_repeated,
        row_number() OVER (
            PARTITION BY d.system, d.interval_start, coalesce(d.SMF74SCS, 0), d.SMF74NUM
            ORDER BY CASE WHEN o.subject IS NULL THEN 0 ELSE 1 END, d.interval_s DESC, d.record_id, d.section_index
        ) AS turn
    FROM smf74_1_device_data d
    JOIN doubtful w ON w.system = d.system AND w.interval_start = d.interval_start
    {{ join_repeats("d", "CAST(coalesce(d.SMF74SCS, 0) AS STRING) || d.SMF74NUM", "repeated_interval") }}
)
SELECT system, interval_start, device, record_id, section_index
FROM numbered
WHERE turn > 1 OR is_repeated

-- source: smf42.5
-- formula storage_class: S42SCRNN (low)
-- formula io_rate: S42SCION / interval_s (low)
-- formula response_ms: S42SCR1U / 1000 where the section has it, else S42SCIOR * 0.128 (low)
-- formula wait_ms: response_ms - pend_ms - disc_ms - conn_ms, 0 if that is below 0 (low)
-- formula pend_ms: S42SCP1U / 1000, else S42SCIOP * 0.128 (low)
-- formula disc_ms: S42SCD1U / 1000, else S42SCIOD * 0.128 (low)
-- formula conn_ms: S42SCC1U / 1000, else S42SCIOC * 0.128 (low)
-- formula cu_queue_ms: S42SCQ1U / 1000, else S42SCIOQ * 0.128 (low)
-- formula cmr_ms: S42SCM1U / 1000 (low)
-- formula device_busy_ms: S42SCB1U / 1000 (low)
-- formula read_ratio: S42SCRDT / S42SCION (low)
-- formula hit_ratio: S42SCHIT / S42SCCND (low)
-- formula write_hit_ratio: S42SCWHI / S42SCWCN (low)
-- formula sequential_ratio: S42SCSEQ / S42SCION (low)
-- formula zhpf_ratio: (S42SCHRD + S42SCHWR) / S42SCION (low)
-- note: A section whose name has an impossible length is left out: no source shows whether synchronous I/O sections stand between classes. If a class and interval have several sections, the one with the longest interval counts. Times of a class without I/O are NULL.
WITH section AS (
    SELECT
        *,
        nullif(CAST(S42SCION AS DOUBLE), 0) AS ios,
        row_number() OVER (
            PARTITION BY system, interval_start, S42SCRNN ORDER BY interval_s DESC, record_id, section_index
        ) AS turn
    FROM smf42_5_storage_class
    WHERE interval_start IS NOT NULL AND interval_s > 0 AND S42SCRNL BETWEEN 1 AND 30
),
timed AS (
    SELECT
        *,
        {% for part, letter in [("response", "R"), ("pend", "P"), ("disc", "D"), ("conn", "C"), ("cu_queue", "Q")] -%}
        CASE WHEN ios > 0 THEN coalesce(S42SC{{ letter }}1U / 1e3, S42SCIO{{ letter }} * 0.128e0) END AS {{ part }}_ms,
        {% endfor -%}
        CASE WHEN ios > 0 THEN S42SCM1U / 1e3 END AS cmr_ms,
        CASE WHEN ios > 0 THEN S42SCB1U / 1e3 END AS device_busy_ms
    FROM section
    WHERE turn = 1
)
SELECT
    system, interval_start, interval_s,
    nullif(trim(S42SCRNN), '') AS storage_class,
    S42SCION / interval_s AS io_rate,
    response_ms,
    CASE WHEN response_ms - pend_ms - disc_ms - conn_ms < 0 THEN 0 ELSE response_ms - pend_ms - disc_ms - conn_ms END
        AS wait_ms,
    pend_ms, disc_ms, conn_ms, cu_queue_ms, cmr_ms, device_busy_ms,
    S42SCRDT / ios AS read_ratio,
    S42SCHIT / nullif(CAST(S42SCCND AS DOUBLE), 0) AS hit_ratio,
    S42SCWHI / nullif(CAST(S42SCWCN AS DOUBLE), 0) AS write_hit_ratio,
    S42SCSEQ / ios AS sequential_ratio,
    (S42SCHRD + S42SCHWR) / ios AS zhpf_ratio,
    utc_offset_s, file_id, record_offset AS place
FROM timed

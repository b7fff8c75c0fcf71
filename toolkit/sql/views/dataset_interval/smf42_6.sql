-- source: smf42.6
-- formula interval_start: SMF42PTS; where it is 0 the time the record was written (medium)
-- formula interval_s: SMF42PTE - SMF42PTS (medium)
-- formula job: S42JDJNM (high)
-- formula step: S42JDSTN (medium)
-- formula data_set: S42DSN (high)
-- formula volser: S42DSVOL (high)
-- formula device: 0 and S42DSDEV (medium)
-- formula storage_class: S42DSSC (high)
-- formula service_class: S42JDWSC (high)
-- formula workload: S42JDWLD (high)
-- formula is_closed: S42JDCOD = 0 (high)
-- formula io_count: S42DSION (high)
-- formula response_ms: S42DSR1U / 1000 where the section has it, else S42DSIOR * 0.128 (high)
-- formula conn_ms: S42DSC1U / 1000, else S42DSIOC * 0.128 (high)
-- formula pend_ms: S42DSP1U / 1000, else S42DSIOP * 0.128 (high)
-- formula disc_ms: S42DSD1U / 1000, else S42DSIOD * 0.128 (high)
-- formula wait_ms: response_ms - pend_ms - disc_ms - conn_ms, 0 if that is below 0 (medium)
-- formula cmr_ms: S42DSM1U / 1000 (high)
-- formula device_busy_ms: S42DSB1U / 1000 (high)
-- formula cu_queue_ms: S42DSQ1U / 1000, else S42DSIOQ * 0.128 (high)
-- formula read_disc_ms: S42DSRDD * 0.128, weighted by S42DSRDT (high)
-- formula response_max_ms: S42DSMXR * 0.128 (high)
-- formula read_ratio: S42DSRDT / S42DSION (high)
-- formula hit_ratio: S42DSSHTS / S42DSCND (high)
-- formula write_hit_ratio: S42DSWHI / S42DSWCN (high)
-- formula sequential_ratio: S42DSSEQ / S42DSION (high)
-- formula zhpf_ratio: (S42DSHRD + S42DSHWR) / S42DSION (high)
-- formula read_bytes_rate: S42AMRIB / interval_s (high)
-- formula write_bytes_rate: S42AMWIB / interval_s (high)
-- formula sync_read_rate: S42SNROS / interval_s (medium)
-- formula sync_write_rate: S42SNWOS / interval_s (medium)
-- formula sync_read_ms: S42SNRDU / 1000 (medium)
-- formula sync_write_ms: S42SNWTU / 1000 (medium)
-- formula sync_eligible_rate: S42SNERH / interval_s (medium)
-- formula total_io_rate: (S42DSION + S42SNROS + S42SNWOS) / interval_s (medium)
-- formula total_response_ms: (S42DSION * response_ms + S42SNROS * sync_read_ms + S42SNWOS * sync_write_ms) / all three (medium)
WITH entry AS (
    SELECT
        d.system, d.interval_start, d.interval_s, d.utc_offset_s, d.file_id, d.record_offset,
        j.S42JDJNM AS job,
        nullif(j.S42JDSTN, '') AS step,
        d.S42DSN AS data_set,
        nullif(d.S42DSVOL, '') AS volser,
        '0' || d.S42DSDEV AS device,
        nullif(d.S42DSSC, '') AS storage_class,
        nullif(j.S42JDWSC, '') AS service_class,
        nullif(j.S42JDWLD, '') AS workload,
        j.S42JDCOD = 0 AS is_closed,
        nullif(d.interval_s, 0) AS span_s,
        i.S42DSION AS ios,
        {% for part, letter in [("response", "R"), ("conn", "C"), ("pend", "P"), ("disc", "D"), ("cu_queue", "Q")] -%}
        i.S42DSION * coalesce(i.S42DS{{ letter }}1U / 1e3, i.S42DSIO{{ letter }} * 0.128e0) AS {{ part }}_total_ms,
        {% endfor -%}
        i.S42DSION * (i.S42DSM1U / 1e3) AS cmr_total_ms,
        i.S42DSION * (i.S42DSB1U / 1e3) AS device_busy_total_ms,
        i.S42DSRDT AS reads,
        i.S42DSRDT * (i.S42DSRDD * 0.128e0) AS read_disc_total_ms,
        i.S42DSMXR * 0.128e0 AS response_max_ms,
        i.S42DSCND AS candidates,
        i.S42DSSHTS AS hits,
        i.S42DSWCN AS write_candidates,
        i.S42DSWHI AS write_hits,
        i.S42DSSEQ AS sequential,
        i.S42DSHRD + i.S42DSHWR AS transport_mode,
        a.S42AMRIB AS bytes_read,
        a.S42AMWIB AS bytes_written,
        s.S42SNROS AS sync_reads,
        s.S42SNWOS AS sync_writes,
        s.S42SNERH AS sync_eligible,
        s.S42SNROS * (s.S42SNRDU / 1e3) AS sync_read_total_ms,
        s.S42SNWOS * (s.S42SNWTU / 1e3) AS sync_write_total_ms
    FROM smf42_6_data_set_header d
    JOIN smf42_6_job_header j ON j.record_id = d.record_id AND j.section_index = d.parent_index
    LEFT JOIN smf42_6_data_set_io i ON i.record_id = d.record_id AND i.parent_index = d.section_index
    LEFT JOIN smf42_6_access_method a ON a.record_id = d.record_id AND a.parent_index = d.section_index
    LEFT JOIN smf42_6_sync_io_1 s ON s.record_id = d.record_id AND s.parent_index = d.section_index
),
summed AS (
    SELECT
        system, interval_start, job, step, data_set, volser, device,
        {{ each("max(NAME)", "interval_s utc_offset_s storage_class service_class workload") }},
        bool_or(is_closed) AS is_closed,
        CAST(sum(ios) AS BIGINT) AS io_count,
        sum(ios / span_s) AS io_rate,
        {{ each("sum(NAME_total_ms) / nullif(sum(CASE WHEN NAME_total_ms IS NOT NULL THEN ios END), 0)", "response conn
            pend disc cu_queue cmr device_busy", "NAME_ms") }},
        sum(read_disc_total_ms) / nullif(sum(CASE WHEN read_disc_total_ms IS NOT NULL THEN reads END), 0)
            AS read_disc_ms,
        max(response_max_ms) AS response_max_ms,
        sum(reads) / nullif(CAST(sum(ios) AS DOUBLE), 0) AS read_ratio,
        sum(hits) / nullif(CAST(sum(candidates) AS DOUBLE), 0) AS hit_ratio,
        sum(write_hits) / nullif(CAST(sum(write_candidates) AS DOUBLE), 0) AS write_hit_ratio,
        sum(sequential) / nullif(CAST(sum(ios) AS DOUBLE), 0) AS sequential_ratio,
        sum(transport_mode) / nullif(CAST(sum(ios) AS DOUBLE), 0) AS zhpf_ratio,
        sum(bytes_read / span_s) AS read_bytes_rate,
        sum(bytes_written / span_s) AS write_bytes_rate,
        sum(sync_reads / span_s) AS sync_read_rate,
        sum(sync_writes / span_s) AS sync_write_rate,
        sum(sync_eligible / span_s) AS sync_eligible_rate,
        sum(sync_read_total_ms) / nullif(sum(sync_reads), 0) AS sync_read_ms,
        sum(sync_write_total_ms) / nullif(sum(sync_writes), 0) AS sync_write_ms,
        sum((coalesce(ios, 0) + coalesce(sync_reads + sync_writes, 0)) / span_s) AS total_io_rate,
        (sum(response_total_ms) + coalesce(sum(sync_read_total_ms + sync_write_total_ms), 0))
            / nullif(sum(coalesce(ios, 0) + coalesce(sync_reads + sync_writes, 0)), 0) AS total_response_ms,
        min(file_id) AS file_id,
        min(record_offset) AS place
    FROM entry
    GROUP BY system, interval_start, job, step, data_set, volser, device
)
SELECT
    *,
    CASE WHEN response_ms - pend_ms - disc_ms - conn_ms < 0 THEN 0 ELSE response_ms - pend_ms - disc_ms - conn_ms END
        AS wait_ms,
    pend_ms + disc_ms + conn_ms AS service_ms
FROM summed

-- source: smf78.3
-- formula alias_high_water: highest R783HAIU of the LCU's HyperPAV sections (high)
-- formula alias_borrowed_high_water: highest R783XHBC if R783DST bit XIND (high)
-- formula alias_high_water_per_base: highest R783HCAD (high)
-- formula alias_io_count: sum of R783HTIO (high)
-- formula alias_denied_count: sum of R783HNAI (high)
-- formula alias_denied_ratio: sum of R783HNAI / sum of R783HTIO (high)
-- formula alias_need_count: sum of R783XANC if R783DST bit XIND (high)
-- formula alias_borrowed_count: sum of R783XABC if R783DST bit XIND (high)
-- formula alias_used_count: sum of R783XAUC if R783DST bit XIND (high)
-- formula alias_home_empty_count: sum of R783XNHC if R783DST bit XIND (high)
-- formula alias_loaned_count: sum of R783XALC if R783DST bit XIND (high)
-- formula alias_loaned_high_water: highest R783XHLC if R783DST bit XIND (high)
-- formula alias_not_lent_count: sum of R783XNAG if R783DST bit XIND (high)
-- formula alias_group: R783AMGS of the configuration section with R783ID1 = R783ID2, if R783DST bit XIND and R783AMGS is not 0 (medium)
-- formula queue_high_water: highest R783HIOQ (high)
-- formula is_superpav: R783DST bit XIND (high)
-- note: A HyperPAV section belongs to the LCU it names (R783HLCU = R783ID2). Only if it names none, R783HIX (from 1) and R783HCNT of the I/O queuing section select it.
-- note: If an LCU and interval have several records, the one with the longest interval counts.
-- note: High-water marks of several sections are not added, because they may be of different moments.
WITH alias_group_of AS (
    SELECT record_id, R783ID1, max(nullif(R783AMGS, 0)) AS number
    FROM smf78_3_config_control
    GROUP BY record_id, R783ID1
),
lcu AS (
    SELECT
        q.*,
        coalesce(q.R783HIX, 0) AS first_section,
        coalesce(q.R783HIX, 0) + coalesce(q.R783HCNT, 0) - 1 AS last_section,
        CASE WHEN q.R783DST_XIND THEN CAST(g.number AS STRING) END AS alias_group
    FROM ({{ of_longest_record("smf78_3_data", "R783ID2") }}) AS q
    LEFT JOIN alias_group_of g ON g.record_id = q.record_id AND g.R783ID1 = q.R783ID2
),
pool AS (
    SELECT
        l.*, h.R783HAIU, h.R783XHBC, h.R783HCAD, h.R783HTIO, h.R783HNAI, h.R783XANC, h.R783XABC, h.R783HIOQ,
        h.R783XAUC, h.R783XNHC, h.R783XALC, h.R783XHLC, h.R783XNAG
    FROM lcu l
    JOIN smf78_3_hyperpav h
        ON h.record_id = l.record_id
        AND (
            h.R783HLCU = l.R783ID2
            OR (
                coalesce(h.R783HLCU, '') = ''
                AND l.first_section > 0
                AND h.section_index >= l.first_section
                AND h.section_index <= l.last_section
            )
        )
)
SELECT
    system, interval_start,
    max(interval_s) AS interval_s,
    R783ID2 AS lcu,
    max(R783HAIU) AS alias_high_water,
    max(CASE WHEN R783DST_XIND THEN R783XHBC END) AS alias_borrowed_high_water,
    max(R783HCAD) AS alias_high_water_per_base,
    sum(R783HTIO) AS alias_io_count,
    sum(R783HNAI) AS alias_denied_count,
    sum(R783HNAI) / nullif(sum(R783HTIO), 0) AS alias_denied_ratio,
    sum(CASE WHEN R783DST_XIND THEN R783XANC END) AS alias_need_count,
    sum(CASE WHEN R783DST_XIND THEN R783XABC END) AS alias_borrowed_count,
    sum(CASE WHEN R783DST_XIND THEN R783XAUC END) AS alias_used_count,
    sum(CASE WHEN R783DST_XIND THEN R783XNHC END) AS alias_home_empty_count,
    sum(CASE WHEN R783DST_XIND THEN R783XALC END) AS alias_loaned_count,
    max(CASE WHEN R783DST_XIND THEN R783XHLC END) AS alias_loaned_high_water,
    sum(CASE WHEN R783DST_XIND THEN R783XNAG END) AS alias_not_lent_count,
    max(alias_group) AS alias_group,
    max(R783HIOQ) AS queue_high_water,
    bool_or(R783DST_XIND) AS is_superpav,
    max(utc_offset_s) AS utc_offset_s,
    min(file_id) AS file_id,
    min(record_offset) AS place
FROM pool
GROUP BY system, interval_start, R783ID2

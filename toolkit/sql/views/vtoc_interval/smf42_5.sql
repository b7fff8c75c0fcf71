-- source: smf42.5
-- formula volser: S42VTSER (low)
-- formula device: 0 and S42VTADR (low)
-- formula component: VTOC of S42VD fields, VTOC index of S42VX, VVDS of S42VV (low)
-- formula io_rate: S42VDION / interval_s (low)
-- formula response_ms: S42VDIOR * 0.128 (low)
-- formula pend_ms: S42VDIOP * 0.128 (low)
-- formula disc_ms: S42VDIOD * 0.128 (low)
-- formula conn_ms: S42VDIOC * 0.128 (low)
-- formula cu_queue_ms: S42VDIOQ * 0.128 (low)
-- formula hit_ratio: S42VDHIT / S42VDCND (low)
-- note: If a volume and interval have several headers, the one with the longest interval counts.
WITH part AS (
    {%- for component, name, table in [
        ("VTOC", "VD", "vtoc_data"), ("VTOC index", "VX", "vtoc_index"), ("VVDS", "VV", "vvds")
    ] %}
    SELECT record_id, parent_index, '{{ component }}' AS component,
        S42{{ name }}ION AS ios, S42{{ name }}IOR AS response, S42{{ name }}IOP AS pend, S42{{ name }}IOD AS disc,
        S42{{ name }}IOC AS conn, S42{{ name }}IOQ AS queue, S42{{ name }}HIT AS hits, S42{{ name }}CND AS candidates
    FROM smf42_5_{{ table }}
    {{ "UNION ALL" if not loop.last }}
    {%- endfor %}
),
header AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY system, interval_start, S42VTSER, S42VTADR ORDER BY interval_s DESC, record_id, section_index
        ) AS turn
    FROM smf42_5_volume_header
    WHERE interval_start IS NOT NULL AND interval_s > 0
)
SELECT
    h.system, h.interval_start, h.interval_s,
    nullif(trim(h.S42VTSER), '') AS volser,
    '0' || h.S42VTADR AS device,
    p.component,
    p.ios / h.interval_s AS io_rate,
    {{ each("CASE WHEN p.ios > 0 THEN p.NAME * 0.128e0 END", "response pend disc conn", "NAME_ms") }},
    CASE WHEN p.ios > 0 THEN p.queue * 0.128e0 END AS cu_queue_ms,
    p.hits / nullif(CAST(p.candidates AS DOUBLE), 0) AS hit_ratio,
    h.utc_offset_s, h.file_id, h.record_offset AS place
FROM header h
JOIN part p ON p.record_id = h.record_id AND p.parent_index = h.section_index
WHERE h.turn = 1

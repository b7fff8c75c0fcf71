-- source: smf74.5
-- formula adapter_pair: R7451AID in hexadecimal (high)
-- formula read_rate: sum of R7451RRQ / R745CINT (low)
-- formula write_rate: sum of R7451WRQ / R745CINT (low)
-- formula read_ms: sum of R7451RRT / sum of R7451RRQ (low)
-- formula write_ms: sum of R7451WRT / sum of R7451WRQ (low)
-- formula read_bytes_rate: sum of R7451SR * R7451HSS / R745CINT (low)
-- formula write_bytes_rate: sum of R7451SW * R7451HSS / R745CINT (low)
-- note: Older boxes (2105) report ranks in 74.5, device by device. Not used if 74.8 measured the box on that day (UTC).
SELECT
    coalesce(a.box_interval_start, c.interval_start) AS interval_start,
    max(coalesce(a.box_interval_s, c.interval_s)) AS interval_s,
    s.box,
    lpad(hex(CAST(e.R7451RID AS BIGINT)), 4, '0') AS rank,
    max(lpad(hex(CAST(e.R7451AID AS BIGINT)), 4, '0')) AS adapter_pair,
    sum(e.R7451RRQ / nullif(coalesce(a.covered_s, c.interval_s), 0)) AS read_rate,
    sum(e.R7451WRQ / nullif(coalesce(a.covered_s, c.interval_s), 0)) AS write_rate,
    sum(e.R7451RRT) / nullif(sum(e.R7451RRQ), 0) AS read_ms,
    sum(e.R7451WRT) / nullif(sum(e.R7451WRQ), 0) AS write_ms,
    sum(e.R7451SR * e.R7451HSS / nullif(coalesce(a.covered_s, c.interval_s), 0)) AS read_bytes_rate,
    sum(e.R7451SW * e.R7451HSS / nullif(coalesce(a.covered_s, c.interval_s), 0)) AS write_bytes_rate,
    max(c.system) AS system,
    max(e.utc_offset_s) AS utc_offset_s,
    min(e.file_id) AS file_id,
    min(e.record_offset) AS place
{{ from_raid_sections(1) }}, e.R7451RID

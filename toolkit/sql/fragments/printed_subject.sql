-- fragment: first printed {relation} of {report} reports about {subject} by {keys}
-- As `first printed`, of rows that neither another listing nor records replace; begins with WHERE x.subject IS NULL AND ...
SELECT
    i.*,
    l.interval_start AS start,
    l.utc_offset_s AS offset_s,
    row_number() OVER (PARTITION BY i.system, l.interval_start, {keys} ORDER BY i.file_id, i.line) AS turn
FROM {relation} i
/* rows of i by {subject} of i.system in 'z/OS' {report} listings, by listing_clock and listing_beside */

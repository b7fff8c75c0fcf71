-- fragment: rows of {row} by {subject} of {owner} in {platform} {report} listings, by {clock} and {overlaps}
-- The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC, and with listing_beside as x: with
-- WHERE x.subject IS NULL only rows that neither another listing nor records replace. CLOCK and OVERLAPS are those views, or
-- common table expressions of them where a text needs each twice.
/* clock of {row} of {owner} in {platform} {report} listings, by {clock} */
LEFT JOIN {overlaps} x
    ON x.platform = {platform}
    AND x.report = {report}
    AND x.owner = {owner}
    AND x.system = {row}.system
    AND x.printed_start = {row}.interval_start
    AND x.printed_offset_s IS NOT DISTINCT FROM {row}.utc_offset_s
    AND x.printed_s IS NOT DISTINCT FROM {row}.interval_s
    AND x.subject = {subject}
    AND x.left_out_for IS NOT NULL

-- fragment: rows of {row} by {device} in {platform} device listings
-- The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC, and with listing_record as x: only
-- rows that neither another listing nor records replace. Further conditions may follow (WHERE x.device IS NULL first).
/* clock of {row} in {platform} device listings */
LEFT JOIN listing_record x
    ON x.platform = {platform}
    AND x.system = {row}.system
    AND x.printed_start = {row}.interval_start
    AND x.printed_offset_s IS NOT DISTINCT FROM {row}.utc_offset_s
    AND x.printed_s IS NOT DISTINCT FROM {row}.interval_s
    AND x.device = {device}
    AND x.is_recorded

-- fragment: clock of {row} in {platform} device listings
-- The join of a listing's rows, as ROW, with listing_clock as l, which brings them to UTC: only rows that no other listing
-- replaces. Further conditions may follow (AND ...).
JOIN listing_clock l
    ON l.platform = {platform}
    AND l.report = 'device'
    AND l.system = {row}.system
    AND l.printed_start = {row}.interval_start
    AND l.printed_offset_s IS NOT DISTINCT FROM {row}.utc_offset_s
    AND l.printed_s IS NOT DISTINCT FROM {row}.interval_s
    AND NOT l.clashes
    AND NOT l.is_replaced

-- fragment: {row} in the middle of a {platform} listing that counts
-- The condition of a join of a record's rows, as ROW, with listing_record as x: the listing counts in their place. The
-- device is still to be compared (AND x.device = ...); WHERE x.device IS NULL leaves the other rows.
x.platform = {platform}
    AND x.system = {row}.system
    AND NOT x.is_recorded
    AND unix_micros(x.interval_start) <= unix_micros({row}.interval_start) + 500000 * {row}.interval_s
    AND unix_micros(x.interval_start) + 1000000 * greatest(least(coalesce(x.printed_s, 0), 604800), 1)
        > unix_micros({row}.interval_start) + 500000 * {row}.interval_s

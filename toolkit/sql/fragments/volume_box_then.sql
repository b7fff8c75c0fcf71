-- fragment: volume_box {name} of {row} then
-- The join of rows of a volume on a system, as ROW, with the box that it was in at the time, as NAME.
JOIN volume_box {name}
    ON {name}.platform = {row}.platform AND {name}.system = {row}.system AND {name}.volume = {row}.volume
    AND {name}.since <= {row}.interval_start AND {row}.interval_start < {name}.until

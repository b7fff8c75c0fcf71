-- fragment: hour of {moment}
-- The number of the hour that a moment is in, for grouping.
floor(unix_micros({moment}) / 3.6e9)

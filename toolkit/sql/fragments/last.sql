-- fragment: last of {column}
-- Of rows grouped, the value of COLUMN in the last interval that has one.
max_by({column}, CASE WHEN {column} IS NOT NULL THEN interval_start END)

-- fragment: the beginning of time
-- Since when something is so that nothing says was otherwise before.
TIMESTAMP '1900-01-01 00:00:00'

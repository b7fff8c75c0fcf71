-- fragment: the end of time
-- Until when something is so that nothing says became otherwise.
TIMESTAMP '9999-12-31 00:00:00'

-- title: Whether requesters that wait for each answer keep exposures busy, for given numbers
-- grain: one row
-- parameter $in_service DOUBLE [I/Os]: In progress
-- parameter $queued DOUBLE [I/Os]: In the host
-- parameter $count DOUBLE []: Exposures, or aliases of a pool
-- parameter $queue_length DOUBLE [I/Os]: Queued at least
-- parameter $busy DOUBLE [ratio]: Of the exposures in use
-- parameter $evenness DOUBLE [ratio]: Of the queue that random arrivals would make
SELECT {{ is_closed("$in_service", "$queued", "$count") }} AS is_closed

-- title: Links of the boxes
-- about: Host adapters and what went over them in the whole span (type 74.8), each operation by itself; copy is remote copy.
-- missing: The lake has no link statistics (type 74.8).
-- columns: box
-- column link: Link
-- column link_type: Type
-- column operation: Operation
-- columns: operation_rate, mb, mb_peak
-- column response_ms .3: ms per operation
-- column response_peak_ms .3: ms per operation, worst
-- columns: peak
-- column in_progress .2: Open at once, mean
SELECT box, link, max(link_type) AS link_type, operation,
       {{ mean_of("operation_rate", "interval_s") }} AS operation_rate,
       {{ mean_of("bytes_rate", "interval_s") }} / 1e6 AS mb, max(bytes_rate) / 1e6 AS mb_peak,
       {{ mean_of("response_ms", "operation_rate * interval_s") }} AS response_ms,
       max(response_ms) AS response_peak_ms, max_by(local_start, peak_order(response_ms, local_start)) AS peak,
       {{ mean_of("in_progress", "interval_s") }} AS in_progress
FROM link_interval
WHERE operation_rate > 0
GROUP BY box, link, operation
ORDER BY mb_peak DESC NULLS LAST, box, link, operation

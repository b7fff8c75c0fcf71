-- question: span
-- title: How long the lake was measured
-- grain: one row
-- column span_s DOUBLE [s]: Length of all intervals of the system that was measured longest; NULL if none was
SELECT max(span_s) AS span_s FROM measured_span

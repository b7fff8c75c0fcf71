-- question: span
-- title: How long the lake was measured
-- grain: one row
SELECT max(span_s) AS span_s FROM measured_span

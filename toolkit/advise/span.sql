-- question: span
-- title: Measured span of the lake
-- grain: one row
SELECT max(span_s) AS span_s FROM measured_span

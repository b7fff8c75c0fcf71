-- title: Measured span of the lake
-- grain: one row
SELECT max(days) AS days FROM measured_span

-- title: Measured span of the lake
-- grain: one row
SELECT max(days) AS days, max(recorded_s) AS recorded_s FROM measured_span

-- question: platforms
-- title: Systems and the operating systems they run
-- grain: one row per platform, system
SELECT DISTINCT platform, system FROM measured_span ORDER BY platform, system

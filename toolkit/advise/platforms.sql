-- question: platforms
-- title: Systems and the operating systems they run
-- grain: one row per platform, system
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
SELECT DISTINCT platform, system FROM measured_span ORDER BY platform, system

-- title: Systems whose intervals are in the lake twice, with different numbers
-- grain: one row per platform, system
-- column intervals BIGINT []: Such intervals
SELECT platform, system, count(*) AS intervals FROM conflicting_interval GROUP BY platform, system ORDER BY platform, system

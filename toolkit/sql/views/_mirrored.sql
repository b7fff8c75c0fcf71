-- title: Volumes in a pair, at any time
-- grain: one row per volser
-- columns: volser
SELECT DISTINCT volser FROM cache_interval WHERE mirror_state = 'full duplex'

-- title: Remote copy
-- about: What the cache statistics (type 74.5) count of it, by subsystem over the whole span: tracks copied by Metro Mirror, XRC or concurrent copy, and Global Mirror. Its links are in the table of links.
-- missing: No volume is copied to another box, or the lake has no such data (type 74.5).
-- columns: subsystem
-- column mirrored: Volumes in a mirror
-- column pending: Pending
-- column suspended: Suspended
-- column mirrored_track_rate .1: Tracks copied per s
-- column sidefile_read_rate .1: Sidefile reads per s
-- column contaminating_write_rate .2: Contaminating writes per s
-- column global_mirror_sidefile_rate .1: Global Mirror collisions per s, sidefile
-- column global_mirror_sync_rate .1: the same, sent while the write waits
{% set rates = "mirrored_track_rate sidefile_read_rate contaminating_write_rate global_mirror_sidefile_rate
    global_mirror_sync_rate" -%}
WITH summed AS (
    SELECT subsystem, interval_start, max(interval_s) AS interval_s, {{ each("sum(NAME)", rates) }}
    FROM cache_interval
    GROUP BY subsystem, interval_start
),
state AS (
    SELECT subsystem, count(DISTINCT device) AS mirrored,
           count(DISTINCT CASE WHEN mirror_state = 'pending' THEN device END) AS pending,
           count(DISTINCT CASE WHEN mirror_state = 'suspended' THEN device END) AS suspended
    FROM cache_interval
    WHERE mirror_state IS NOT NULL
    GROUP BY subsystem
)
SELECT s.subsystem, max(m.mirrored) AS mirrored, nullif(max(m.pending), 0) AS pending,
       nullif(max(m.suspended), 0) AS suspended, {{ each(mean_of("NAME", "interval_s"), rates) }}
FROM summed s
LEFT JOIN state m ON m.subsystem = s.subsystem
GROUP BY s.subsystem
HAVING max(m.mirrored) > 0 OR max(s.sidefile_read_rate) > 0 OR max(s.mirrored_track_rate) > 0
    OR max(s.global_mirror_sidefile_rate) > 0 OR max(s.global_mirror_sync_rate) > 0
ORDER BY suspended DESC NULLS LAST, mirrored_track_rate DESC NULLS LAST, s.subsystem

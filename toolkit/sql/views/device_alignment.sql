-- reach: a day
-- title: Map from I/O queuing and channel intervals of a system to its device intervals
-- grain: one row per platform, system, interval_start, other_start, other_s
-- columns: platform, system, interval_start, interval_s
-- column other_start TIMESTAMP [UTC]: Start of an interval of lcu_extra, lcu_queue, lcu_path_interval or channel_interval
-- columns: other_s
-- note: Two intervals belong together when the middle of one lies inside the other, as in cache_alignment. Equal intervals that differ by seconds pair one to one; a long one pairs with every short one inside it.
WITH other AS (
    SELECT platform, system, interval_start, interval_s FROM lcu_extra
    UNION
    SELECT platform, system, interval_start, interval_s FROM lcu_queue
    UNION
    SELECT platform, system, interval_start, interval_s FROM lcu_path_interval
    UNION
    SELECT platform, system, interval_start, interval_s FROM channel_interval
),
{{ pairs_of("measured_interval", "other", "platform system interval_start interval_s", "platform, system") }}
SELECT platform, system, interval_start, interval_s, other_interval_start AS other_start, other_interval_s AS other_s
FROM pair

-- title: Ranks with an array that lacks a drive, and the volumes of their extent pools
-- grain: one row per box, rank
-- column rank_end TIMESTAMP [local time]: End of the last interval of the rank
-- column volumes VARCHAR []: Volumes of its extent pool, separated by |, those with most I/Os first; NULL where none is recorded
WITH bad AS (
    SELECT box, rank, extent_pool, raid_type, interval_start, local_start, local_end, interval_s AS lost
    FROM rank_interval
    WHERE is_degraded
),
living AS (
    SELECT b.box, b.rank, v.volume, v.io_rate
    FROM volume_interval v
    {{ join_box_then("s", "v") }}
    JOIN bad b ON b.box = s.box AND b.extent_pool = v.extent_pool AND b.interval_start = v.interval_start
),
named AS ({{ most_first("volume", "io_rate", "living", "box, rank") }}),
ended AS (
    SELECT box, rank, max(local_end) AS rank_end FROM rank_interval GROUP BY box, rank
),
{% call incident("bad", "box, rank", also=["ended", "named"]) %}
    {{ each("max(NAME)", "extent_pool raid_type") }}
{% endcall %}
ORDER BY a.box, a.rank

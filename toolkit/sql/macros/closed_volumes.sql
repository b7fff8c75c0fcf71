{#
Among common table expressions: worked, the rows of closed_work; closed, those of closed work that are judged: in the box that
the volume is in now if it waits there, and with the exposures that it has for good now if it was seen with them;
bad_box, intervals of boxes with such, with lost; box_hour, the worst of each hour of the day, by one system's interval;
closed_then, the volumes with that work then.
The question has the parameters of is_closed.
#}
{% macro closed_volumes() -%}
worked AS ({{ closed_work() }}),
closed_ever AS (
    SELECT platform, system, volume, box, box_interval_start, interval_start, interval_s, local_start, local_end,
           queue_length, round(exposures) AS exposures
    FROM worked
    WHERE is_closed
),
left_box AS ({{ boxes_left_by("closed_ever") }}),
waits_there AS (
    SELECT DISTINCT v.platform, v.system, v.volume, b.other_start
    FROM worked v
    JOIN left_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    WHERE v.interval_start > b.other_start AND NOT v.is_held AND NOT v.is_overfull AND v.queue_length >= $queue_length
),
closed_now AS (
    SELECT
        c.*,
        {{ as_now_first("c.platform, c.system, c.volume", "NOT x.is_new OR c.exposures = x.exposures_now") }} AS now_place
    FROM closed_ever c
    LEFT JOIN waits_there w ON w.platform = c.platform AND w.system = c.system AND w.volume = c.volume
    LEFT JOIN exposure_change x ON x.platform = c.platform AND x.system = c.system AND x.volume = c.volume
    WHERE w.volume IS NULL OR c.interval_start > w.other_start
),
closed AS (
    SELECT * FROM closed_now WHERE now_place = 1
),
bad_box AS (
    SELECT
        box, box_interval_start,
        min(local_start) AS local_start,
        max(local_end) AS local_end,
        sum(queue_length * interval_s) AS lost
    FROM closed
    GROUP BY box, box_interval_start
),
ranked_box AS (
    SELECT
        box, box_interval_start, lost,
        row_number() OVER (PARTITION BY box, hour(local_start) ORDER BY lost DESC, local_start) AS place
    FROM bad_box
),
longest AS (
    SELECT
        r.box, r.lost, c.box_interval_start, c.interval_start, c.interval_s,
        min(c.local_start) AS local_start,
        max(c.local_end) AS local_end,
        row_number() OVER (
            PARTITION BY r.box, r.box_interval_start ORDER BY sum(c.queue_length) DESC, c.interval_start, c.interval_s
        ) AS place
    FROM ranked_box r
    JOIN closed c ON c.box = r.box AND c.box_interval_start = r.box_interval_start
    WHERE r.place = 1
    GROUP BY r.box, r.box_interval_start, r.lost, c.box_interval_start, c.interval_start, c.interval_s
),
box_hour AS (
    SELECT * FROM longest WHERE place = 1
),
of_requesters AS (
    -- near saturation a service time cut to a tenth decides about one volume: others like it wait for the same cause
    SELECT box, box_interval_start, interval_start, interval_s, platform, system, volume
    FROM closed
    UNION
    SELECT v.box, v.box_interval_start, v.interval_start, v.interval_s, v.platform, v.system, v.volume
    FROM worked v
    JOIN closed k ON k.platform = v.platform AND k.system = v.system AND k.volume = v.volume AND k.box = v.box
        AND k.exposures = round(v.exposures)
    WHERE v.is_rest AND v.queue_length >= $queue_length
),
closed_then AS (
    -- of this interval, not of another one that the box's holds too
    SELECT DISTINCT l.box, l.interval_start, c.platform, c.system, c.volume
    FROM box_hour l
    JOIN of_requesters c
        ON c.box = l.box AND c.box_interval_start = l.box_interval_start
        AND unix_micros(c.interval_start) < unix_micros(l.interval_start) + 5e5 * l.interval_s
        AND unix_micros(c.interval_start) + 1e6 * c.interval_s > unix_micros(l.interval_start) + 5e5 * l.interval_s
)
{%- endmacro %}

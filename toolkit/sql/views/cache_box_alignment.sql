-- reach: a day and dimensions
-- title: Map from cache intervals of a subsystem to the intervals of its box
-- grain: one row per platform, system, subsystem, interval_start
-- columns: platform, system, subsystem, interval_start, interval_s
-- column box VARCHAR []: Box, see box_subsystem; the subsystem if no record has it
-- column box_interval_start TIMESTAMP [UTC]: Start of the box's interval
-- columns: box_interval_s
-- column covered_s DOUBLE [s]: Seconds of the subsystem's statistics in that interval: the divisor of their counts
-- note: Systems gather the subsystems of a box seconds apart or with different interval lengths. A box uses the intervals that are longest to the minute (ties: of the first subsystem by name). A subsystem's interval belongs to the one that holds its middle, as in cache_alignment. If there is none, it is an interval of its own.
WITH recorded AS (
    SELECT platform, system, subsystem, interval_start, interval_s FROM cache_subsystem_interval
    UNION
    SELECT platform, system, subsystem, interval_start, interval_s FROM cache_interval
),
in_box AS (
    SELECT
        coalesce(b.box, t.subsystem) AS box,
        t.platform, t.system, t.subsystem, t.interval_start,
        max(t.interval_s) AS interval_s,
        round(max(t.interval_s) / 60) AS minutes
    FROM recorded t
    LEFT {{ join_box_then("b", "t") }}
    WHERE t.subsystem IS NOT NULL
    GROUP BY coalesce(b.box, t.subsystem), t.platform, t.system, t.subsystem, t.interval_start
),
{{ timed_by_slots("in_box") }},
around AS (
    SELECT
        s.*,
        o.interval_start AS box_interval_start,
        o.interval_s AS box_interval_s,
        row_number() OVER (
            PARTITION BY s.platform, s.system, s.subsystem, s.interval_start
            ORDER BY o.minutes DESC, o.subsystem, o.start_us, o.interval_s
        ) AS turn
    FROM timed s
    JOIN reach o
        ON o.box = s.box
        AND o.slot = floor(s.middle_us / s.slot_us)
        AND o.start_us <= s.middle_us
        AND o.end_us > s.middle_us
        AND (
            o.minutes > s.minutes OR (o.minutes = s.minutes AND o.subsystem < s.subsystem)
            OR (o.subsystem = s.subsystem AND o.start_us = s.start_us)
        )
)
SELECT
    *,
    sum(interval_s) OVER (PARTITION BY box, subsystem, box_interval_start) AS covered_s
FROM around
WHERE turn = 1

-- title: The intervals of every box, and the share of systems' intervals in each
-- grain: one row per box, platform, system, interval_start, is_shorter, box_interval_start
-- column box VARCHAR []: Name of the box, as in volume_home
-- columns: platform, system, interval_start, is_shorter, longest_s, box_interval_start, box_interval_s, measured_s
-- columns: share_ratio, is_main
-- column is_whole BOOLEAN []: The system's interval lies wholly in the box's and is its only one there
-- note: A box uses the intervals of the system with the longest ones that measures its volumes (ties: first by name). An interval whose length divides a longer one's belongs wholly to the longer one that holds its middle. Equal intervals that start seconds apart are therefore one interval, and short ones count with the long one around them.
-- note: Intervals that do not divide evenly are split in proportion to time, as if I/Os were spread evenly over them. If only some systems measured during a part of an interval, that part is an interval of its own. Each row thus holds all I/Os of the systems it names.
-- note: An interval that fits into none of the box's moves with the adjacent ones of its system. This must not put two intervals of a system into one place, nor separate or shorten adjacent ones by 1 % or more. That can happen if their length changes while another system's stays, or while they are minutes off the box's. All of them up to the next gap then keep their measured times and are split in proportion to time.
-- note: Gaps and overlaps of less than 2 % between neighbouring intervals of a system are taken for clock differences, not for missing measurements.
WITH measured AS (
    SELECT * FROM _volume_clock WHERE interval_s > 0
),
member AS (
    SELECT DISTINCT box, platform, system, assumed_offset_s FROM volume_home
),
usual AS (
    SELECT platform, system, percentile_cont(0.5) WITHIN GROUP (ORDER BY interval_s) AS usual_s
    FROM measured
    GROUP BY platform, system
),
ranked AS (
    SELECT
        m.box, m.platform, m.system,
        coalesce(CAST(m.assumed_offset_s AS BIGINT), 0) * 1000000 AS ahead_us,
        row_number() OVER (PARTITION BY m.box ORDER BY round(u.usual_s) DESC, m.platform, m.system) AS place
    FROM member m
    JOIN usual u ON u.platform = m.platform AND u.system = m.system
),
timed AS (
    SELECT
        platform, system, interval_start, is_shorter, interval_s,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT) AS end_us,
        unix_micros(lead(interval_start) OVER (PARTITION BY platform, system ORDER BY interval_start)) AS next_us
    FROM measured
),
span AS (
    SELECT
        r.box, r.place, t.platform, t.system, t.interval_start, t.is_shorter, t.interval_s, t.start_us - ahead_us AS start_us,
        CASE WHEN abs(t.next_us - t.end_us) < 0.02 * (t.end_us - t.start_us) THEN t.next_us ELSE t.end_us END - ahead_us
            AS end_us,
        -- no interval is longer than a slot: what overlaps lies in the same slot or in a neighbouring one
        max(t.end_us - t.start_us) OVER (PARTITION BY r.box) * 1.1 AS slot_us
    FROM ranked r
    JOIN timed t ON t.platform = r.platform AND t.system = r.system
),
reach AS (
    {{ slots_of("(SELECT box, place, start_us, end_us, slot_us FROM span)") }}
),
around AS (
    SELECT
        s.*,
        o.start_us AS outer_us,
        o.end_us - o.start_us AS outer_length_us,
        round((o.end_us - o.start_us) * 1e0 / (s.end_us - s.start_us)) AS pieces,
        row_number() OVER (
            PARTITION BY s.box, s.platform, s.system, s.interval_start, s.is_shorter
            ORDER BY o.place, o.start_us
        ) AS turn
    FROM span s
    LEFT JOIN reach o
        ON o.box = s.box
        AND o.place < s.place
        AND o.slot = floor((s.start_us + s.end_us) / 2 / s.slot_us)
        AND o.start_us <= (s.start_us + s.end_us) / 2
        AND o.end_us > (s.start_us + s.end_us) / 2
),
fitted AS (
    SELECT
        a.*,
        pieces >= 1 AND abs(pieces * (end_us - start_us) - outer_length_us) <= 0.001 * outer_length_us AS divides,
        least(greatest(round((start_us - outer_us) * pieces / outer_length_us), 0), pieces - 1) AS piece
    FROM around a
    WHERE turn = 1
),
snapped AS (
    SELECT
        f.*,
        CASE WHEN divides THEN outer_us + CAST(piece * outer_length_us / pieces AS BIGINT) END AS fitted_us,
        CASE WHEN divides THEN outer_us + CAST((piece + 1) * outer_length_us / pieces AS BIGINT) END AS fitted_end_us
    FROM fitted f
),
shifted AS (
    SELECT
        s.*,
        fitted_us - start_us AS shift_us,
        CASE WHEN lag(end_us) OVER w = start_us THEN 0 ELSE 1 END AS begins,
        -- nothing moves by more than half an interval: what moves on both sides of such a gap stays apart
        CASE WHEN start_us - lag(end_us) OVER w < slot_us THEN 0 ELSE 1 END AS begins_spell,
        lead(start_us) OVER w = end_us AS goes_on
    FROM snapped s
    WINDOW w AS (PARTITION BY box, platform, system ORDER BY start_us)
),
run AS (
    SELECT
        s.*,
        sum(begins) OVER (PARTITION BY box, platform, system ORDER BY start_us) AS run,
        sum(begins_spell) OVER (PARTITION BY box, platform, system ORDER BY start_us) AS spell
    FROM shifted s
),
counted AS (
    SELECT
        r.*,
        count(shift_us) OVER (PARTITION BY box, platform, system, run ORDER BY start_us) AS before,
        count(shift_us) OVER (PARTITION BY box, platform, system, run ORDER BY start_us DESC) AS behind
    FROM run r
),
moved AS (
    -- what fits into no interval of the box goes along with what it touches: else two would stand in one place
    SELECT
        c.*,
        start_us + coalesce(
            shift_us,
            max(shift_us) OVER (PARTITION BY box, platform, system, run, before),
            max(shift_us) OVER (PARTITION BY box, platform, system, run, behind),
            0
        ) AS from_us
    FROM counted c
),
ended AS (
    SELECT
        *,
        -- what touches goes on touching, by as much as clocks are apart
        CASE WHEN goes_on AND abs(next_from_us - own_end_us) < 0.01 * (end_us - start_us) THEN next_from_us ELSE own_end_us END
            AS to_us
    FROM (
        SELECT
            m.*,
            coalesce(fitted_end_us, from_us + end_us - start_us) AS own_end_us,
            lead(from_us) OVER (PARTITION BY box, platform, system ORDER BY start_us) AS next_from_us
        FROM moved m
    ) AS followed
),
met AS (
    SELECT
        e.*,
        max(CASE WHEN next_from_us < to_us OR (goes_on AND next_from_us > to_us) THEN 1 ELSE 0 END)
            OVER (PARTITION BY box, platform, system, spell) AS clashes
    FROM ended e
),
placed AS (
    SELECT
        box, place, platform, system, interval_start, is_shorter, interval_s, slot_us,
        CASE WHEN clashes = 1 THEN start_us ELSE from_us END AS start_us,
        CASE WHEN clashes = 1 THEN end_us ELSE to_us END AS end_us
    FROM met
),
edge AS (
    SELECT box, slot_us, start_us AS at_us FROM placed
    UNION
    SELECT box, slot_us, end_us AS at_us FROM placed
),
piece AS (
    SELECT
        box, at_us, floor(at_us / slot_us) AS slot,
        lead(at_us) OVER (PARTITION BY box ORDER BY at_us) - at_us AS length_us
    FROM edge
),
cover AS (
    {{ slots_of("placed") }}
),
covered AS (
    SELECT
        p.box, p.at_us, p.length_us, c.place, c.platform, c.system, c.interval_start, c.is_shorter, c.interval_s,
        p.length_us * 1e0 / (c.end_us - c.start_us) AS share_ratio
    FROM piece p
    JOIN cover c ON c.box = p.box AND c.slot = p.slot AND c.start_us <= p.at_us AND c.end_us > p.at_us
    WHERE p.length_us > 0
),
owned AS (
    SELECT
        box, at_us, place AS owner, interval_start AS owner_start, is_shorter,
        share_ratio * interval_s AS length_s,
        measured
    FROM (
        SELECT
            c.*,
            row_number() OVER (PARTITION BY box, at_us ORDER BY place, interval_start DESC, is_shorter DESC) AS turn,
            sum(power(2.0, place)) OVER (PARTITION BY box, at_us) AS measured
        FROM covered c
    ) AS numbered
    WHERE turn = 1
),
interval_of_box AS (
    SELECT
        box, at_us,
        min(at_us) OVER (PARTITION BY box, owner, owner_start, is_shorter, measured) AS begin_us,
        sum(length_s) OVER (PARTITION BY box, owner, owner_start, is_shorter, measured) AS box_interval_s
    FROM owned
),
inside AS (
    SELECT c.*, CAST(timestamp_micros(i.begin_us) AS TIMESTAMP) AS box_interval_start, i.box_interval_s
    FROM covered c
    JOIN interval_of_box i ON i.box = c.box AND i.at_us = c.at_us
),
shared AS (
    SELECT
        box, box_interval_start, platform, system, interval_start, is_shorter,
        max(box_interval_s) AS box_interval_s,
        sum(share_ratio) AS share_ratio
    FROM inside
    GROUP BY box, box_interval_start, platform, system, interval_start, is_shorter
),
-- what two intervals of a system cover is measured once
own_time AS (
    SELECT box, box_interval_start, platform, system, sum(part_s) AS measured_s
    FROM (
        SELECT box, box_interval_start, platform, system, max(share_ratio * interval_s) AS part_s
        FROM inside
        GROUP BY box, box_interval_start, at_us, platform, system
    ) AS piece_of_system
    GROUP BY box, box_interval_start, platform, system
)
SELECT
    s.*, t.longest_s, o.measured_s,
    row_number() OVER (
        PARTITION BY s.box, s.platform, s.system, s.interval_start, s.is_shorter
        ORDER BY s.share_ratio DESC, s.box_interval_start
    ) = 1 AS is_main,
    s.share_ratio > 1 - 1e-9
        AND count(*) OVER (PARTITION BY s.box, s.platform, s.system, s.box_interval_start) = 1 AS is_whole
FROM shared s
JOIN own_time o ON {{ equal("box, box_interval_start, platform, system", "o", "s") }}
JOIN measured t ON {{ equal("platform, system, interval_start, is_shorter", "t", "s") }}

-- view: box_volume_part
-- layer: derived
-- title: The box of every volume, and the intervals of the box that its measurements belong to
-- grain: one row per box_interval_start, platform, system, interval_start, volume
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column box_control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column box_subsystem VARCHAR []: Subsystem id (SSID) that says so
-- column box_lcu VARCHAR []: LCU of the volume on this system then, as told nearest in time
-- column box_since TIMESTAMP [UTC]: From when on the volume was there; 1900 where it was nowhere else before
-- column box_until TIMESTAMP [UTC]: Until when; 9999 where it is there last
-- column box_interval_start TIMESTAMP [UTC]: Start of the box's interval; NULL where a row has no length
-- column box_interval_s DOUBLE [s]: Length of the box's interval
-- column measured_s DOUBLE [s]: Seconds that the system measured in the box's interval: what its I/Os there are divided by
-- column share_ratio DOUBLE [ratio 0..1]: Part of the system's interval that lies in the box's; all parts of an interval add up to 1
-- column is_main BOOLEAN []: The box's interval that holds most of the system's: where a row belongs as a whole
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column interval_s DOUBLE [s]: Length of the measured interval
-- column volume VARCHAR []: Volume serial, else the base device
-- column volser VARCHAR []: Volume serial; NULL if none
-- column lcu VARCHAR []: Logical control unit of the base
-- column utc_offset_s INTEGER [s]: Local time minus UTC, as recorded
-- column assumed_offset_s INTEGER [s]: Local time minus UTC that a listing is taken to have which tells none, in the box's intervals: that of the systems with which it shares a box, where it covers the same hours of local time as theirs
-- column own_clock BOOLEAN []: The listing tells no offset, other systems of the box do, and the hours they cover don't show it: the box is named once more, after the system, and what it holds is added to nothing
-- column disk VARCHAR []: What systems share: the volume serial; where systems name that in several subsystems at once, the serial in one of them (VOL001 in 2000), or of a system alone that nothing tells it of (VOL001 of SYSC); NULL where there is no serial
-- column twins VARCHAR []: Subsystem ids of several disks of that serial, each by a system whose cache statistics say so, separated by |; NULL where it is one disk
-- column is_apart BOOLEAN []: Such a row of a volume that other systems measured: it is no part of shared_volume_interval
-- note: The one place that says which box a volume is in and what the same interval is. What was measured stands in volume_interval under the same keys. Volumes of the same serial are one volume: what one system's records tell of its box holds for all systems. Where systems name one serial in several subsystems at once, in most hours, they are several disks (two sites, a copy): each system's is where its own records say, and one of which none says so is in the box of its LCU.
-- note: A volume that moved, or whose box was replaced under the same subsystem ids, was in the one box until then and in the other afterwards: halfway between the last interval here and the first there.
-- note: Where no cache record tells the box, systems that use one LCU number use one box, unless most of its device numbers that both use hold other volumes: then it is another box, named LCU … of that system.
-- note: A box's intervals are those of the system with the longest ones that measures volumes of it (of equals the first by name). An interval whose length divides a longer one's belongs wholly to the longer one that holds its middle: equal intervals that start seconds apart are one interval, short ones count with the long one around them.
-- note: Intervals that do not divide evenly are shared out by time, as if I/Os were spread evenly over them. Where only some of the systems measured during a part of an interval, that part is an interval of its own, so that each row holds all I/Os of the systems it names.
-- note: An interval that fits into none of the box's goes along with those of its system that it touches. Where that would put two intervals of a system into one place, or part or squeeze those that touch by 1 % or more (their length changes beside another system, or while they are minutes off the box's), all of them up to the next gap stand where they were measured and are shared out by time.
-- note: Gaps and overlaps of less than 2 % between neighbouring intervals of a system are taken for clocks, not for time without measurements.
WITH /* homes of volumes */,
-- a listing's hour may begin with a record's minute, of other volumes
lengthened AS (
    SELECT
        platform, system, interval_start, interval_s, volume, volser, lcu, utc_offset_s,
        1.5 * interval_s < max(interval_s) OVER (PARTITION BY platform, system, interval_start) AS is_shorter
    FROM volume_interval
),
measured AS (
    SELECT platform, system, interval_start, is_shorter, max(interval_s) AS interval_s, max(utc_offset_s) AS offset_s
    FROM lengthened
    WHERE interval_s > 0
    GROUP BY platform, system, interval_start, is_shorter
),
-- what a system covers by its own clock
stretch AS (
    SELECT
        platform, system, offset_s,
        max(offset_s) OVER (PARTITION BY platform, system) AS known_s,
        first_us + coalesce(CAST(offset_s AS BIGINT), 0) * 1000000 AS first_us,
        last_us + coalesce(CAST(offset_s AS BIGINT), 0) * 1000000 AS last_us
    FROM (
        SELECT
            platform, system, offset_s,
            min(unix_micros(interval_start)) AS first_us,
            max(unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT)) AS last_us
        FROM measured
        GROUP BY platform, system, offset_s
    ) AS span_of_system
),
user_of_box AS (
    SELECT DISTINCT box, platform, system FROM housed
),
-- listings without an offset from UTC, beside the systems of the box that have one: do both cover the same hours?
clockless AS (
    SELECT
        m.box, u.platform, u.system,
        min(CASE WHEN abs(k.first_us - u.first_us) < 450000000 AND abs(k.last_us - u.last_us) < 450000000 THEN k.offset_s END)
            AS least_s,
        max(CASE WHEN abs(k.first_us - u.first_us) < 450000000 AND abs(k.last_us - u.last_us) < 450000000 THEN k.offset_s END)
            AS most_s
    FROM stretch u
    JOIN user_of_box m ON m.platform = u.platform AND m.system = u.system
    JOIN user_of_box o ON o.box = m.box
    JOIN stretch k
        ON k.platform = o.platform
        AND k.system = o.system
        AND k.first_us - 86400000000 < u.last_us
        AND k.last_us + 86400000000 > u.first_us
    WHERE u.known_s IS NULL AND k.offset_s IS NOT NULL
    GROUP BY m.box, u.platform, u.system
),
settled AS (
    SELECT platform, system, min(least_s) AS offset_s
    FROM clockless
    GROUP BY platform, system
    HAVING min(least_s) = max(most_s)
),
home AS (
    SELECT
        h.platform, h.system, h.volume, h.disk, h.twins, h.subsystem, h.lcu, h.serial, h.control_unit_type,
        CAST(timestamp_micros(h.since_us) AS TIMESTAMP) AS since,
        CAST(timestamp_micros(h.until_us) AS TIMESTAMP) AS until,
        CASE WHEN a.box IS NOT NULL AND s.system IS NULL THEN h.box || ' by the clock of ' || h.system ELSE h.box END AS box,
        s.offset_s AS assumed_offset_s,
        a.box IS NOT NULL AND s.system IS NULL AS own_clock,
        a.box IS NOT NULL AND s.system IS NULL
            AND count(CASE WHEN a.box IS NULL OR s.system IS NOT NULL THEN h.volser END) OVER (PARTITION BY h.volser) > 0
            AS is_apart
    FROM housed h
    LEFT JOIN clockless a ON a.box = h.box AND a.platform = h.platform AND a.system = h.system
    LEFT JOIN settled s ON s.platform = h.platform AND s.system = h.system
),
member AS (
    SELECT DISTINCT box, platform, system, assumed_offset_s FROM home
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
    SELECT box, place, start_us, end_us, floor(start_us / slot_us) AS slot FROM span
    UNION
    SELECT box, place, start_us, end_us, floor(end_us / slot_us) AS slot FROM span
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
        CASE WHEN clashes = 1 THEN start_us ELSE from_us END AS from_us,
        CASE WHEN clashes = 1 THEN end_us ELSE to_us END AS to_us
    FROM met
),
edge AS (
    SELECT box, slot_us, from_us AS at_us FROM placed
    UNION
    SELECT box, slot_us, to_us AS at_us FROM placed
),
piece AS (
    SELECT
        box, at_us, floor(at_us / slot_us) AS slot,
        lead(at_us) OVER (PARTITION BY box ORDER BY at_us) - at_us AS length_us
    FROM edge
),
cover AS (
    SELECT
        box, place, platform, system, interval_start, is_shorter, interval_s, from_us, to_us, floor(from_us / slot_us) AS slot
    FROM placed
    UNION
    SELECT
        box, place, platform, system, interval_start, is_shorter, interval_s, from_us, to_us, floor(to_us / slot_us) AS slot
    FROM placed
),
covered AS (
    SELECT
        p.box, p.at_us, p.length_us, c.place, c.platform, c.system, c.interval_start, c.is_shorter, c.interval_s,
        p.length_us * 1e0 / (c.to_us - c.from_us) AS share_ratio
    FROM piece p
    JOIN cover c ON c.box = p.box AND c.slot = p.slot AND c.from_us <= p.at_us AND c.to_us > p.at_us
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
shared AS (
    SELECT
        i.box,
        CAST(timestamp_micros(i.begin_us) AS TIMESTAMP) AS box_interval_start,
        max(i.box_interval_s) AS box_interval_s,
        c.platform,
        c.system,
        c.interval_start,
        c.is_shorter,
        sum(c.share_ratio) AS share_ratio
    FROM covered c
    JOIN interval_of_box i ON i.box = c.box AND i.at_us = c.at_us
    GROUP BY i.box, i.begin_us, c.platform, c.system, c.interval_start, c.is_shorter
),
-- what two intervals of a system cover is measured once
own_time AS (
    SELECT box, box_interval_start, platform, system, sum(part_s) AS measured_s
    FROM (
        SELECT
            i.box,
            CAST(timestamp_micros(i.begin_us) AS TIMESTAMP) AS box_interval_start,
            c.platform,
            c.system,
            max(c.share_ratio * c.interval_s) AS part_s
        FROM covered c
        JOIN interval_of_box i ON i.box = c.box AND i.at_us = c.at_us
        GROUP BY i.box, i.begin_us, c.at_us, c.platform, c.system
    ) AS piece_of_system
    GROUP BY box, box_interval_start, platform, system
),
clock AS (
    SELECT
        s.*,
        o.measured_s,
        row_number() OVER (
            PARTITION BY s.box, s.platform, s.system, s.interval_start, s.is_shorter
            ORDER BY s.share_ratio DESC, s.box_interval_start
        ) = 1 AS is_main
    FROM shared s
    JOIN own_time o
        ON o.box = s.box AND o.box_interval_start = s.box_interval_start AND o.platform = s.platform AND o.system = s.system
)
SELECT
    h.box,
    h.serial,
    h.control_unit_type AS box_control_unit_type,
    h.subsystem AS box_subsystem,
    h.lcu AS box_lcu,
    h.since AS box_since,
    h.until AS box_until,
    c.box_interval_start,
    c.box_interval_s,
    c.measured_s,
    c.share_ratio,
    c.is_main,
    v.platform, v.system, v.interval_start, v.interval_s, v.volume, v.volser, v.lcu, v.utc_offset_s,
    h.assumed_offset_s,
    h.own_clock,
    h.disk,
    h.twins,
    h.is_apart
FROM lengthened v
JOIN home h
    ON h.platform = v.platform AND h.system = v.system AND h.volume = v.volume
    AND h.since <= v.interval_start AND v.interval_start < h.until
LEFT JOIN clock c
    ON c.box = h.box
    AND c.platform = v.platform
    AND c.system = v.system
    AND c.interval_start = v.interval_start
    AND c.is_shorter = v.is_shorter

-- title: The intervals of listings, converted to UTC
-- grain: one row per platform, system, printed_start, printed_offset_s
-- columns: platform, system, printed_start, printed_offset_s
-- column interval_start TIMESTAMP [UTC]: Start of the interval = printed_start - utc_offset_s; local time where utc_offset_s is NULL
-- column utc_offset_s INTEGER [s]: Local time minus UTC: the listing's own, else that of system_clock, at most 7 days away; NULL if it does not
-- column clashes BOOLEAN []: Another interval of the system, printed at an earlier time, has the same interval_start: of the offsets known none keeps them apart
-- note: Between two known times with the same offset, and next to one, the offset of the nearest applies. In the hour that repeats when clocks go back, the first of the two is taken.
-- note: If the offsets before and after differ, clocks were changed in between. Set forward: where the printed time jumps by that much, preferably at night, else at a gap between intervals. Set back: after rows whose printed times repeat (they have no time), else half way.
WITH page AS (
    SELECT
        platform, system, interval_start, utc_offset_s,
        unix_micros(interval_start) AS at_us,
        CAST(min(least(interval_s, 604800)) * 1000000 AS BIGINT) AS length_us
    FROM _printed
    -- without a length the weight of the rows is unknown
    WHERE owner IS NOT NULL AND system IS NOT NULL AND interval_start IS NOT NULL AND interval_s > 0
    GROUP BY platform, system, interval_start, utc_offset_s
),
-- in local time, as pages are
seen AS (
    SELECT
        platform, system, utc_offset_s AS offset_s,
        unix_micros(first_seen) AS seen_us,
        unix_micros(first_seen) + CAST(utc_offset_s AS BIGINT) * 1000000 AS from_us,
        unix_micros(last_seen) + CAST(utc_offset_s AS BIGINT) * 1000000 AS until_us
    FROM system_clock
),
adjacent AS (
    SELECT
        m.platform, m.system, m.at_us, m.length_us, s.offset_s, s.from_us, s.until_us,
        greatest(s.from_us - m.at_us, m.at_us - s.until_us, 0) AS away_us,
        row_number() OVER (
            PARTITION BY m.platform, m.system, m.at_us
            ORDER BY greatest(s.from_us - m.at_us, m.at_us - s.until_us, 0), s.seen_us, s.offset_s
        ) AS place,
        max(CASE WHEN s.until_us < m.at_us THEN s.until_us END) OVER (PARTITION BY m.platform, m.system, m.at_us)
            AS before_us,
        min(CASE WHEN s.from_us > m.at_us THEN s.from_us END) OVER (PARTITION BY m.platform, m.system, m.at_us)
            AS after_us
    FROM page m
    LEFT JOIN seen s ON {{ equal("platform, system", "s", "m") }}
        AND s.seen_us >= m.at_us - 604800000000 AND s.seen_us <= m.at_us + 604800000000
    -- printed times that need an offset
    WHERE m.utc_offset_s IS NULL
),
near AS (
    SELECT
        platform, system, at_us, before_us, after_us,
        max(length_us) AS length_us,
        max(CASE WHEN place = 1 THEN offset_s END) AS offset_s,
        -- of two that end at the same local time the first, as everywhere
        max(CASE WHEN until_us = before_us THEN offset_s END) AS before_s,
        min(CASE WHEN from_us = after_us THEN offset_s END) AS after_s,
        max(CASE WHEN place = 1 THEN away_us END) > 0 AS is_between
    FROM adjacent
    GROUP BY platform, system, at_us, before_us, after_us
),
ordered AS (
    SELECT
        n.*,
        coalesce(is_between AND before_s <> after_s, FALSE) AS is_turn,
        CAST(after_s - before_s AS BIGINT) * 1000000 AS forward_us,
        lag(at_us) OVER w AS last_us,
        lag(at_us + length_us) OVER w AS last_end_us,
        lead(at_us) OVER w AS next_us
    FROM near n
    WINDOW w AS (PARTITION BY platform, system ORDER BY at_us)
),
-- rows without a time, and those behind them: the listing had printed their times before
timed AS (
    {% for platform, rows in [("z/OS", "rmf_dasd_device"), ("z/VM", "fcx168"), ("z/VM", "fcx108")] -%}
    SELECT '{{ platform }}' AS platform, system, file_id, interval_start, min(line) AS line
    FROM {{ rows }}
    GROUP BY system, file_id, interval_start
    {{ "UNION ALL" if not loop.last }}
    {% endfor -%}
),
repeated_times AS (
    SELECT DISTINCT platform, system, at_us
    FROM (
        SELECT n.platform, n.system, n.file_id, n.line, min(unix_micros(b.interval_start)) AS at_us
        FROM timed n
        JOIN timed b ON {{ equal("platform, system, file_id", "b", "n") }}
            AND b.line > n.line AND b.interval_start IS NOT NULL
        WHERE n.interval_start IS NULL
        GROUP BY n.platform, n.system, n.file_id, n.line
    ) AS followed
),
-- where clocks may have been changed: before a page, or behind the last one
possible AS (
    SELECT platform, system, before_us, after_us, forward_us, at_us AS turn_us, at_us, last_us, last_end_us, length_us
    FROM ordered
    WHERE is_turn
    UNION ALL
    SELECT
        platform, system, before_us, after_us, max(forward_us),
        coalesce(max(next_us), max(at_us) + 1),
        max(next_us), max(at_us), max(at_us + length_us), max(length_us)
    FROM ordered
    WHERE is_turn
    GROUP BY platform, system, before_us, after_us
),
weighed AS (
    SELECT
        p.*,
        CASE
            WHEN forward_us < 0 THEN CASE WHEN t.at_us IS NULL THEN 1 ELSE 3 END
            WHEN last_us IS NULL OR p.at_us IS NULL THEN 1
            WHEN abs(p.at_us - last_end_us - forward_us) <= greatest(length_us / 50, 2000000) THEN 3
            WHEN p.at_us - last_end_us >= forward_us THEN 2
            ELSE 0
        END AS weight,
        CASE WHEN forward_us > 0 AND turn_us % 86400000000 BETWEEN 1 AND 14400000000 THEN 1 ELSE 0 END AS in_the_night
    FROM possible p
    LEFT JOIN repeated_times t ON t.platform = p.platform AND t.system = p.system AND t.at_us = p.at_us
    WHERE forward_us < 0 OR last_us IS NULL OR p.at_us IS NULL OR p.at_us - last_us > forward_us
),
turn AS (
    SELECT platform, system, before_us, after_us, turn_us
    FROM (
        SELECT
            w.*,
            row_number() OVER (
                PARTITION BY platform, system, before_us, after_us
                ORDER BY weight DESC, in_the_night DESC, abs(2 * turn_us - before_us - after_us), turn_us
            ) AS place
        FROM weighed w
    ) AS ranked
    WHERE place = 1
),
recorded AS (
    SELECT
        o.platform, o.system, o.at_us,
        CASE
            WHEN NOT is_turn OR t.turn_us IS NULL THEN offset_s
            WHEN o.at_us < t.turn_us THEN before_s
            ELSE after_s
        END AS offset_s
    FROM ordered o
    LEFT JOIN turn t ON {{ equal("platform, system, before_us, after_us", "t", "o") }}
),
placed AS (
    SELECT
        p.*, t.offset_s,
        p.at_us - CAST(coalesce(t.offset_s, 0) AS BIGINT) * 1000000 AS start_us
    FROM page p
    LEFT JOIN recorded t
        ON t.platform = p.platform AND t.system = p.system AND t.at_us = CASE WHEN p.utc_offset_s IS NULL THEN p.at_us END
),
compared AS (
    SELECT
        p.*,
        min(CASE WHEN utc_offset_s IS NULL THEN at_us END) OVER (PARTITION BY platform, system, start_us) AS first_at_us
    FROM placed p
)
SELECT
    platform, system,
    interval_start AS printed_start,
    utc_offset_s AS printed_offset_s,
    CAST(timestamp_micros(start_us) AS TIMESTAMP) AS interval_start,
    CAST(coalesce(utc_offset_s, offset_s) AS INTEGER) AS utc_offset_s,
    coalesce(utc_offset_s IS NULL AND first_at_us < at_us, FALSE) AS clashes
FROM compared

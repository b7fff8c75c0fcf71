{#
Which intervals of a subject repeat others of the same system. Both have system, interval_start and
interval_s; SECTIONS has subject and is_good (it has numbers) as well. Of a longer interval and shorter ones whose middle
it holds, the shorter ones count where they make up the whole of it (a fiftieth for clocks), else the longer one. Only
intervals that lie in each other are looked for in SECTIONS: a lake without any costs a look at its records.
#}
{% macro repeats(sections, records) -%}
WITH spell AS (
    -- longer than a day is damage, and would make slots as long
    SELECT DISTINCT system, interval_start, interval_s FROM {{ records }} WHERE interval_s > 0 AND interval_s <= 86400
),
around AS (
    SELECT
        s.*,
        max(end_us) OVER earlier AS ended_us,
        max(middle_us) OVER earlier AS last_middle_us,
        min(start_us) OVER later AS next_us,
        min(middle_us) OVER later AS next_middle_us
    FROM (
        SELECT
            e.*,
            unix_micros(interval_start) AS start_us,
            unix_micros(interval_start) + CAST(interval_s * 500000 AS BIGINT) AS middle_us,
            unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT) AS end_us
        FROM spell e
    ) AS s
    WINDOW
        earlier AS (
            PARTITION BY system ORDER BY interval_start, interval_s ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ),
        later AS (
            PARTITION BY system ORDER BY interval_start, interval_s ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        )
),
-- by windows, for engines then see that this is little: nothing that a join gives looks so to them
doubtful AS (
    SELECT system, interval_start, interval_s
    FROM around
    WHERE ended_us > middle_us OR next_us <= middle_us OR last_middle_us >= start_us OR next_middle_us < end_us
),
{{ timed_by_slots("doubtful") }},
within AS (
    SELECT
        m.system, m.interval_start, m.interval_s, m.start_us, m.end_us,
        l.interval_start AS longer_start, l.interval_s AS longer_s, l.start_us AS longer_us, l.end_us AS longer_end_us
    FROM timed m
    JOIN reach l ON l.system = m.system AND l.slot = floor(m.middle_us / m.slot_us)
    WHERE l.interval_s > m.interval_s AND m.middle_us >= l.start_us AND m.middle_us < l.end_us
),
measured AS (
    SELECT s.system, s.subject, s.interval_start, s.interval_s, bool_or(s.is_good) AS is_good
    FROM doubtful d
    JOIN {{ sections }} s ON s.system = d.system AND s.interval_start = d.interval_start AND s.interval_s = d.interval_s
    GROUP BY s.system, s.subject, s.interval_start, s.interval_s
),
pair AS (
    SELECT
        w.*,
        m.subject, m.is_good,
        l.is_good AS longer_is_good,
        greatest(w.start_us, w.longer_us) AS from_us,
        least(w.end_us, w.longer_end_us) AS until_us
    FROM within w
    JOIN measured m ON m.system = w.system AND m.interval_start = w.interval_start AND m.interval_s = w.interval_s
    JOIN measured l
        ON l.system = w.system AND l.interval_start = w.longer_start AND l.interval_s = w.longer_s AND l.subject = m.subject
),
piece AS (
    SELECT * FROM pair WHERE is_good
),
covered AS (
    {{ covered_us("piece", "system, subject, longer_us, longer_end_us") }}
),
weighed AS (
    SELECT
        p.*,
        coalesce(c.covered_us >= 0.98 * (p.longer_end_us - p.longer_us) OR NOT p.longer_is_good, FALSE)
            AND c.covered_us IS NOT NULL AS is_in_pieces
    FROM pair p
    LEFT JOIN covered c
        ON c.system = p.system AND c.subject = p.subject
        AND c.longer_us = p.longer_us AND c.longer_end_us = p.longer_end_us
)
SELECT system, subject, longer_start AS interval_start, longer_s AS interval_s FROM weighed WHERE is_in_pieces
UNION
SELECT system, subject, interval_start, interval_s FROM weighed WHERE NOT is_in_pieces
{%- endmacro %}

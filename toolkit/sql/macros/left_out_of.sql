{#
Which intervals of a subject do not count, since others of RELATION are of the same time. RELATION has KEYS, subject,
interval_start, interval_s and grade: 2 records with numbers, 1 records without, 0 a listing. Of two, one with the middle of
the other in it, the one of higher grade goes before, then the shorter. The longer one replaces the other where it goes
before. Shorter ones do if they hold all of the longer one (a fiftieth is for clocks), or more than half of it where it is
longer than an hour; else they are left out. Records of one length never replace each other. LEADER is the subject that
decides for one in a listing.
#}
{% macro left_out_of(relation, keys, leader="subject") -%}
WITH spell AS (
    SELECT
        s.*,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(500000 * least(interval_s, 604800) AS BIGINT) AS middle_us,
        unix_micros(interval_start) + CAST(1000000 * least(interval_s, 604800) AS BIGINT) AS end_us
    FROM (SELECT DISTINCT {{ keys }}, interval_start, interval_s, grade = 0 AS is_listing FROM {{ relation }}) AS s
    WHERE interval_s > 0 AND interval_start IS NOT NULL
),
around AS (
    SELECT
        s.*,
        max(end_us) OVER earlier AS ended_us,
        max(middle_us) OVER earlier AS last_middle_us,
        min(start_us) OVER later AS next_us,
        min(middle_us) OVER later AS next_middle_us
    FROM spell s
    WINDOW
        earlier AS (
            PARTITION BY {{ keys }} ORDER BY start_us, end_us, is_listing ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ),
        later AS (
            PARTITION BY {{ keys }} ORDER BY start_us, end_us, is_listing ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        )
),
-- by windows, for engines then see that this is little: nothing that a join gives looks so to them
doubtful AS (
    SELECT
        a.*,
        row_number() OVER (ORDER BY {{ keys }}, interval_start, interval_s, is_listing) AS id,
        max(end_us - start_us) OVER (PARTITION BY {{ keys }}) AS slot_us
    FROM around a
    WHERE ended_us > middle_us OR next_us <= middle_us OR last_middle_us >= start_us OR next_middle_us < end_us
),
pair AS (
    SELECT
        i.id AS inner_id, i.start_us AS inner_us, i.end_us AS inner_end_us,
        o.id AS outer_id, o.start_us AS outer_us, o.end_us AS outer_end_us,
        i.end_us - i.start_us < o.end_us - o.start_us OR i.start_us < o.start_us AS is_finer
    FROM doubtful i
    JOIN ({{ slots_of("doubtful") }}) AS o
        ON {{ equal(keys, "o", "i") }} AND o.slot = floor(i.middle_us / i.slot_us)
    WHERE o.id <> i.id AND i.middle_us >= o.start_us AND i.middle_us < o.end_us
        AND i.end_us - i.start_us <= o.end_us - o.start_us
        AND (i.is_listing OR o.is_listing OR i.interval_s <> o.interval_s)
),
-- only where subjects matter is there a look at rows
measured AS (
    SELECT d.id, m.subject, max(m.grade) AS grade, coalesce(max(m.{{ leader }}), m.subject) AS leader
    FROM {{ relation }} m
    JOIN doubtful d
        ON {{ equal(keys ~ ", interval_start, interval_s", "m", "d") }} AND (m.grade = 0) = d.is_listing
    GROUP BY d.id, m.subject
),
ranked AS (
    SELECT
        p.*, i.subject, greatest(i.grade, o.grade) AS grade,
        i.grade > o.grade OR (i.grade = o.grade AND p.is_finer) AS is_inner_first
    FROM pair p
    JOIN measured i ON i.id = p.inner_id
    JOIN measured o ON o.id = p.outer_id AND o.subject = i.subject
),
piece AS (
    SELECT
        outer_id AS id, subject, grade, greatest(inner_us, outer_us) AS from_us, least(inner_end_us, outer_end_us) AS until_us
    FROM ranked
    WHERE is_inner_first
    UNION ALL
    SELECT inner_id, subject, grade, inner_us, inner_end_us FROM ranked WHERE NOT is_inner_first
),
-- what several hold counts once
covered AS (
    SELECT id, subject, sum(greatest(until_us - greatest(from_us, coalesce(before_us, from_us)), 0)) AS covered_us
    FROM (
        SELECT *, max(until_us) OVER (
            PARTITION BY id, subject ORDER BY from_us, until_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before_us
        FROM piece
    ) AS in_turn
    GROUP BY id, subject
),
weighed AS (
    SELECT
        d.*, m.subject, m.leader, m.grade, c.covered_us,
        coalesce(
            c.covered_us
                > CASE WHEN m.grade = 1 THEN 0 WHEN d.interval_s > 3600 THEN 0.5 ELSE 0.98 END * (d.end_us - d.start_us),
            FALSE
        ) AS is_replaced
    FROM doubtful d
    JOIN measured m ON m.id = d.id
    LEFT JOIN covered c ON c.id = m.id AND c.subject = m.leader
),
instead AS (
    SELECT subject, id, max(grade) AS grade FROM piece GROUP BY subject, id
),
inside AS (
    SELECT r.inner_id AS id, r.subject, max(w.grade) AS outer_grade
    FROM ranked r
    JOIN weighed w ON w.id = r.outer_id AND w.subject = r.subject
    WHERE r.is_inner_first AND NOT w.is_replaced
    GROUP BY r.inner_id, r.subject
)
SELECT
    {{ keys }}, w.subject, w.interval_start, w.interval_s, w.is_listing,
    CASE
        WHEN w.is_replaced THEN CASE WHEN i.grade > 0 THEN 'records' ELSE 'listing' END
        WHEN n.outer_grade = 0 THEN 'longer listing'
        ELSE 'longer records'
    END AS left_out_for,
    CASE WHEN w.is_replaced THEN (w.end_us - w.start_us - w.covered_us) / 1e6 ELSE 0 END AS missing_s
FROM weighed w
LEFT JOIN instead i ON i.id = w.id AND i.subject = w.leader
LEFT JOIN inside n ON n.id = w.id AND n.subject = w.leader
WHERE w.is_replaced OR n.id IS NOT NULL
{%- endmacro %}

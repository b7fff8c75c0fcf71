{#
What a subject was at which time, where that changed. Among common table expressions: gives turn, with since_us and
until_us, of subjects that were several things one after the other. STATES has kind, subject, what, in_hour, first_us and
last_us, the first and last start of an interval of that hour that says so, and middle_us, the last one's middle. The
turn is halfway between two intervals, for clocks of systems are seconds apart. What is two things at once in most hours
is no subject that changed but two of one name: it has no turn, and is in at_once.
#}
{% macro periods(states) -%}
several AS (
    SELECT kind, subject FROM {{ states }} GROUP BY kind, subject HAVING count(DISTINCT what) > 1
),
in_order AS (
    SELECT
        t.kind, t.subject, t.what, t.first_us,
        lag(t.what) OVER (PARTITION BY t.kind, t.subject ORDER BY t.first_us, t.what) AS was,
        max(t.last_us) OVER (
            PARTITION BY t.kind, t.subject ORDER BY t.first_us, t.what ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before_us,
        max(t.middle_us) OVER (
            PARTITION BY t.kind, t.subject ORDER BY t.first_us, t.what ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS before_middle_us
    FROM {{ states }} t
    JOIN several s ON s.kind = t.kind AND s.subject = t.subject
),
each_thing AS (
    SELECT
        kind, subject, what,
        count(*) AS hours,
        sum(CASE WHEN was <> what AND first_us < before_middle_us THEN 1 ELSE 0 END) AS mixed_hours
    FROM in_order
    GROUP BY kind, subject, what
),
judged AS (
    SELECT kind, subject, 2 * sum(mixed_hours) <= min(hours) AS has_changed FROM each_thing GROUP BY kind, subject
),
at_once AS (
    SELECT kind, subject FROM judged WHERE NOT has_changed
),
turned AS (
    SELECT
        o.kind, o.subject, o.what,
        CASE
            WHEN o.was IS NULL THEN unix_micros({{ beginning_of_time() }})
            WHEN o.before_us < o.first_us THEN CAST((o.before_us + o.first_us) / 2 AS BIGINT)
            ELSE o.first_us
        END AS since_us
    FROM in_order o
    JOIN judged j ON j.kind = o.kind AND j.subject = o.subject
    WHERE j.has_changed AND (o.was IS NULL OR o.was <> o.what)
),
turn AS (
    SELECT
        kind, subject, what, since_us,
        coalesce(
            lead(since_us) OVER (PARTITION BY kind, subject ORDER BY since_us),
            unix_micros({{ end_of_time() }})
        ) AS until_us
    FROM turned
)
{%- endmacro %}

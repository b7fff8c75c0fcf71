{#
What each was at comparable rates while it was well. Among common table expressions: timed, the rows of RELATION with KEYS that are
bad at some time, with slot; well, one row per key and slot that has enough intervals which are not bad: comparable_before, those
before the first bad one, and the columns that the caller gives over all of them. RELATION has local_start and is_bad; the question
has the parameters $comparable and $well.
#}
{% macro usual_at_rates(relation, keys, rate) -%}
timed AS (
    -- of equal or neighbouring slots, rates are comparable
    SELECT
        c.*, b.first_bad,
        CAST(floor(2 * ln(c.{{ rate }}) / -ln(1 - least(greatest($comparable, 1e-3), 0.999))) AS BIGINT) AS slot
    FROM {{ relation }} c
    JOIN (SELECT {{ keys }}, min(local_start) AS first_bad FROM {{ relation }} WHERE is_bad GROUP BY {{ keys }}) AS b
        ON {{ equal(keys, "b", "c") }}
),
well AS (
    SELECT
        {{ keys }}, slot + step AS slot, count(CASE WHEN local_start < first_bad THEN 1 END) AS comparable_before,
        {{ caller()|trim }}
    FROM timed
    CROSS JOIN (SELECT -1 AS step UNION ALL SELECT 0 UNION ALL SELECT 1) AS steps
    WHERE NOT is_bad
    GROUP BY {{ keys }}, slot + step
    HAVING count(*) >= $well
)
{%- endmacro %}

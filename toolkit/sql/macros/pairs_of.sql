{#
Among common table expressions: pair, the intervals of relations OWN and OTHER that belong together, as the middle of one
lies inside the other. Equal intervals that differ by seconds pair one to one; a long one pairs with every short one inside
it. Gives the columns NAMES, separated by blanks, of both, those of OTHER as other_NAME; SAME are those that have to be equal.
#}
{% macro pairs_of(own, other, names, same="") -%}
both_kinds AS (
    SELECT {{ names|replace(" ", ", ") }}, TRUE AS is_own FROM {{ own }}
    UNION ALL
    SELECT {{ names|replace(" ", ", ") }}, FALSE AS is_own FROM {{ other }}
),
{{ timed_by_slots("both_kinds") }},
pair AS (
    SELECT DISTINCT
        {{ each("CASE WHEN m.is_own THEN m.NAME ELSE r.NAME END", names) }},
        {{ each("CASE WHEN m.is_own THEN r.NAME ELSE m.NAME END", names)|replace(" AS ", " AS other_") }}
    FROM timed m
    JOIN reach r
        ON r.is_own <> m.is_own{{ " AND " ~ equal(same, "r", "m") if same }}
        AND r.slot = floor(m.middle_us / m.slot_us)
        AND r.start_us <= m.middle_us
        AND r.end_us > m.middle_us
)
{%- endmacro %}

{#
What rows of RELATION and of OTHER, each with platform, report, owner, subject, start_us and end_us, have in common:
from_us to until_us, and whether the middle of the other (s and o) is within. RELATION has slot_us, no shorter than itself
and those of OTHER that matter; OTHER has is_record. Conditions may follow (WHERE ...).
#}
{% macro overlaps(relation, other) -%}
SELECT
    s.platform, s.report, s.owner, s.subject, s.start_us, s.end_us,
    o.is_record,
    o.start_us AS other_start_us,
    o.end_us AS other_end_us,
    greatest(s.start_us, o.start_us) AS from_us,
    least(s.end_us, o.end_us) AS until_us,
    2 * s.start_us <= o.start_us + o.end_us AND 2 * s.end_us > o.start_us + o.end_us AS has_middle
FROM (
    {{ slots_of(relation) }}
) AS s
JOIN (
    SELECT r.*, k.slot_us, floor(r.start_us / k.slot_us) AS slot
    FROM {{ other }} r
    JOIN (SELECT DISTINCT platform, report, owner, slot_us FROM {{ relation }}) k
        ON k.platform = r.platform AND k.report = r.report AND k.owner = r.owner
    UNION
    SELECT r.*, k.slot_us, floor(r.end_us / k.slot_us)
    FROM {{ other }} r
    JOIN (SELECT DISTINCT platform, report, owner, slot_us FROM {{ relation }}) k
        ON k.platform = r.platform AND k.report = r.report AND k.owner = r.owner
) AS o
    ON o.platform = s.platform
    AND o.report = s.report
    AND o.owner = s.owner
    AND o.subject = s.subject
    AND o.slot_us = s.slot_us
    AND o.slot = s.slot
    -- once, where it begins
    AND floor(greatest(s.start_us, o.start_us) / s.slot_us) = s.slot
    AND o.start_us < s.end_us
    AND o.end_us > s.start_us
{%- endmacro %}

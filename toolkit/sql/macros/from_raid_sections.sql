{#
Sections of ranks (FLAG 1) or extent pools (2) of 74.5, by time and box s, on days on which no 74.8 of the box is kept: c is the
record, a its place on the box's clock.
#}
{% macro from_raid_sections(flag) -%}
FROM smf74_5_raid_extent_pool e
JOIN cache_record c ON c.record_id = e.record_id AND c.kept
{{ join_box_then("s", "c") }}
LEFT JOIN cache_box_alignment a
    ON a.platform = 'z/OS' AND a.system = c.system AND a.subsystem = c.subsystem AND a.interval_start = c.interval_start
LEFT JOIN (SELECT DISTINCT box, CAST(interval_start AS DATE) AS day FROM box_record WHERE kept) recorded
    ON recorded.box = s.box AND recorded.day = CAST(coalesce(a.box_interval_start, c.interval_start) AS DATE)
WHERE e.R7451FLG = {{ flag }} AND recorded.box IS NULL
GROUP BY coalesce(a.box_interval_start, c.interval_start), s.box
{%- endmacro %}

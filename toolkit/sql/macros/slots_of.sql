{#
RELATION has start_us, end_us and slot_us, the length of a slot. If two rows are not longer than a slot, their overlap
begins in a slot that both are in.
#}
{% macro slots_of(relation) -%}
SELECT r.*, floor(start_us / nullif(slot_us, 0)) AS slot FROM {{ relation }} r
UNION
SELECT r.*, floor(end_us / nullif(slot_us, 0)) AS slot FROM {{ relation }} r
{%- endmacro %}

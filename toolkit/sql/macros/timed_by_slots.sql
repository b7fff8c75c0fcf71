{#
Among common table expressions: timed is RELATION with start_us, middle_us and end_us, and slot_us, the length of a slot;
reach has each row of timed once per slot in which it begins or ends. RELATION has interval_start and interval_s. The
interval in reach that holds the middle of another is in the slot floor(middle_us / slot_us).
#}
{% macro timed_by_slots(relation) -%}
timed AS (
    SELECT
        b.*,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(interval_s * 500000 AS BIGINT) AS middle_us,
        unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT) AS end_us,
        -- no interval is longer than a slot: one that holds a middle begins or ends in the middle's slot
        max(interval_s) OVER () * 1000000 AS slot_us
    FROM {{ relation }} b
    WHERE interval_s > 0
),
reach AS (
    {{ slots_of("timed") }}
)
{%- endmacro %}

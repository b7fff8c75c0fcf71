-- title: Boxes whose available cache is smaller than what they have, or had before
-- grain: one row per box
-- column whole_bytes DOUBLE [bytes]: Cache available before, or with what is offline
-- column available_bytes DOUBLE [bytes]: Cache available at least, in these intervals
-- column usual_ratio DOUBLE [ratio 0..1]: Read hits over reads in the other intervals; NULL if there are none
-- column newest_end TIMESTAMP [local time]: End of the last interval in which the box was read
WITH {{ box_cache() }},
bad AS (
    SELECT *, CAST(1 AS DOUBLE) AS lost FROM box WHERE is_bad
),
span AS (
    SELECT box, sum(CASE WHEN NOT is_bad THEN hits END) / nullif(sum(CASE WHEN NOT is_bad THEN reads END), 0) AS usual_ratio,
        max(local_end) AS newest_end
    FROM box
    GROUP BY box
),
{% call incident("bad", "box", also=["span"]) %}
    {{ each("max(NAME)", "serial control_unit_type whole_bytes") }}, min(available_bytes) AS available_bytes,
    sum(hits) / nullif(sum(reads), 0) AS hit_ratio
{% endcall %}
ORDER BY a.box

-- title: Links of boxes that are nearly full in one direction
-- grain: one row per box, link
-- column used_ratio DOUBLE [ratio]: Most that it was used in its fuller direction
-- column copy_ratio DOUBLE [ratio 0..1]: Share of remote copy in all these bytes
-- column others_ratio DOUBLE [ratio]: How much the box's other links were used then, mean
WITH moved AS (
    SELECT
        box, link, interval_start, local_start, local_end,
        max(link_type) AS link_type,
        CAST(nullif(regexp_extract(max(link_type), '([0-9]+) Gb/s', 1), '') AS DOUBLE) * 1e8 AS most,
        sum(CASE WHEN operation IN ('host read', 'scsi read', 'copy send') THEN bytes_rate ELSE 0 END)
            AS read_bytes_rate,
        sum(CASE WHEN operation IN ('host write', 'scsi write', 'copy receive') THEN bytes_rate ELSE 0 END)
            AS write_bytes_rate,
        sum(CASE WHEN operation LIKE 'copy %' THEN bytes_rate ELSE 0 END) AS copy_bytes_rate,
        sum(CASE WHEN response_ms IS NOT NULL THEN operation_rate END) AS timed_rate,
        sum(operation_rate * response_ms) AS time_sum
    FROM link_interval
    GROUP BY box, link, interval_start, local_start, local_end
),
used AS (
    -- a line of Fibre Channel carries 106.25 bytes for 100 of its name; what is beyond is no measurement of this link
    SELECT *, least(greatest(read_bytes_rate, write_bytes_rate) / most, 1) AS used_ratio
    FROM moved
    WHERE most > 0 AND greatest(read_bytes_rate, write_bytes_rate) <= 1.0625 * most
),
bad AS (
    SELECT *, used_ratio AS lost FROM used WHERE used_ratio >= $used_ratio
),
others AS (
    SELECT b.box, b.link, avg(u.used_ratio) AS others_ratio, count(DISTINCT u.link) AS other_count
    FROM bad b
    JOIN used u ON u.box = b.box AND u.interval_start = b.interval_start AND u.link <> b.link
    GROUP BY b.box, b.link
),
{% call incident("bad", "box, link", also=["others"]) %}
    {{ each("max(NAME)", "link_type used_ratio") }},
    {{ each("avg(NAME)", "read_bytes_rate write_bytes_rate") }},
    sum(copy_bytes_rate) / sum(read_bytes_rate + write_bytes_rate) AS copy_ratio,
    sum(time_sum) / nullif(sum(timed_rate), 0) AS response_ms
{% endcall %}
ORDER BY a.used_ratio DESC, a.box, a.link

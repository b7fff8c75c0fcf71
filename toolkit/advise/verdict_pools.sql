-- title: Every LCU with HyperPAV, with the number and use of its aliases
-- grain: one row per system, lcu
-- column name VARCHAR []: Logical control unit
-- column wait_share_percent DOUBLE [%]: Share of the response spent waiting in that peak interval
-- column peak_start TIMESTAMP [local time]: Start of that interval
-- column peak_end TIMESTAMP [local time]: End of that interval
-- column refusals_per_io DOUBLE [refusals per I/O]: Times an I/O found no free alias, per I/O, worst interval; an I/O may be refused more than once
WITH pool AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY system, lcu ORDER BY coalesce(queue_length, 0) DESC, interval_start
        ) AS place
    FROM lcu_alias_interval
)
SELECT
    system,
    lcu AS name,
    lcu,
    coalesce({{ last_of("hyperpav_aliases") }}, max(aliases)) AS aliases,
    max(CASE WHEN place = 1 THEN 100 * wait_ms / nullif(response_ms, 0) END) AS wait_share_percent,
    max(queue_length) AS queue_length_peak,
    max(CASE WHEN place = 1 THEN local_start END) AS peak_start,
    max(CASE WHEN place = 1 THEN local_end END) AS peak_end,
    max(alias_high_water) AS high_water,
    max(alias_high_water_per_base) AS per_base,
    max(alias_denied_ratio) AS refusals_per_io,
    max(CASE WHEN place = 1 THEN response_ms END) AS response_ms
FROM pool
GROUP BY system, lcu
ORDER BY system, lcu

-- title: Listed totals that differ from the sum of their rows, by system, with the worst of each
-- grain: one row per system
-- column totals BIGINT []: Such totals
-- column short BIGINT []: Those of them whose rows add up to less
SELECT system, totals, short, total, id, printed_rate, rows_rate
FROM (
    SELECT
        t.*,
        count(*) OVER (PARTITION BY system) AS totals,
        count(CASE WHEN rows_rate < printed_rate THEN 1 END) OVER (PARTITION BY system) AS short,
        row_number() OVER (
            PARTITION BY system ORDER BY abs(printed_rate - rows_rate) DESC, interval_start, total, id
        ) AS place
    FROM listing_total t
    WHERE NOT adds_up
) AS ranked
WHERE place = 1
ORDER BY system

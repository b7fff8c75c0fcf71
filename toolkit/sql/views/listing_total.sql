-- title: Totals that listings print, with the sums of their rows
-- grain: one row per platform, system, interval_start, total, id
-- columns: platform, system, interval_start, interval_s
-- column total VARCHAR []: What is summed up: devices (the device report's LCU line), paths of an LCU, or paths of a group (the I/O queuing report's rows marked *)
-- column id VARCHAR []: LCU, or alias management group
-- column printed_rate DOUBLE [per second]: Starts that the total prints
-- column printed_rows BIGINT []: Rows printed for it
-- column rows_rate DOUBLE [per second]: Their starts
-- column adds_up BOOLEAN []: True if both agree within 1 % and rounding; NULL if a row prints no value
-- columns: utc_offset_s
-- note: If rows_rate is lower, rows are missing in the listing (a lost page) and in the views, or the total is wrong. Issues rows_missing and contradiction have the line.
-- note: Only RMF listings and XML that count, see left_out.
WITH total AS (
    SELECT system, start, interval_s, 'devices' AS total, id, activity_rate AS rate, offset_s
    FROM (
        {{ first_printed("rmf_dasd_total", "'z/OS'", "'device'", "i.system", "i.id", "i.total = 'LCU' AND i.id IS NOT NULL") }}
    ) AS t
),
device AS (
    SELECT system, start, 'devices' AS total, lcu AS id, activity_rate AS rate, message AS words
    FROM (
        {{ first_printed("rmf_dasd_device", "'z/OS'", "'device'", "right('0' || i.device, 5)", "i.device",
            "i.device IS NOT NULL") }}
    ) AS d
    WHERE lcu IS NOT NULL
),
path AS (
    SELECT
        system, start, interval_s, 'paths of ' || CASE scope WHEN 'AMG' THEN 'a group' ELSE 'an LCU' END AS total,
        CASE scope WHEN 'AMG' THEN amg ELSE lcu END AS id, path, taken_rate AS rate, status AS words, offset_s
    FROM (
        {{ first_printed("rmf_ioq_lcu", "'z/OS'", "'queue'", "coalesce(i.lcu, i.system)", "i.scope, i.lcu, i.amg, i.path",
            "i.path IS NOT NULL") }}
    ) AS p
),
summed AS (
    SELECT
        system, start, total, id,
        count(*) AS printed_rows,
        coalesce(sum(rate), 0) AS rows_rate,
        sum(CASE WHEN rate IS NULL AND words IS NULL THEN 1 ELSE 0 END) AS unknown
    FROM (
        SELECT * FROM device
        UNION ALL
        SELECT system, start, total, id, rate, words FROM path WHERE path <> '*'
    ) AS part
    GROUP BY system, start, total, id
),
whole AS (
    SELECT * FROM total
    UNION ALL
    SELECT system, start, interval_s, total, id, rate, offset_s FROM path WHERE path = '*'
),
adjacent AS (
    SELECT
        w.*,
        {{ each("coalesce(s.NAME, 0)", "printed_rows rows_rate unknown") }}
    FROM whole w
    LEFT JOIN summed s ON s.system = w.system AND s.start = w.start AND s.total = w.total AND s.id = w.id
    WHERE w.rate IS NOT NULL AND w.id IS NOT NULL
)
SELECT
    *,
    'z/OS' AS platform,
    start AS interval_start,
    rate AS printed_rate,
    CASE
        WHEN unknown = 0 OR rows_rate > rate
            THEN abs(rate - rows_rate) <= 0.01 * greatest(rate, rows_rate) + 0.005 * (printed_rows + 1)
    END AS adds_up,
    offset_s AS utc_offset_s
FROM adjacent

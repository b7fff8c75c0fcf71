-- title: Intervals that listings print twice with different numbers: the later one is ignored
-- grain: one row per platform, system, printed_start, file_id, printing
-- columns: platform, system, printed_start, interval_s
-- column file_id VARCHAR []: Listing that is left out
-- column counted_file_id VARCHAR []: Listing with the rows in use
-- column devices BIGINT []: Devices that both print; a z/VM base and its aliases are one
-- column io_rate DOUBLE [per second]: Their I/Os in the listing left out
-- column counted_rate DOUBLE [per second]: Their I/Os in the listing that counts
-- column printing BIGINT []: How often the listing left out had printed them, this time included: 1 where it is another listing than the one that counts, or its second printing counts
-- note: When clocks go back an hour repeats, and a listing does not show which of the two it is; records do. Two runs with different options look the same.
-- note: Starts on the clock and lengths that differ by at most a second are one interval, as only one of them may be printed with fractions. The shorter length counts, then the earlier start, see left_out.
-- note: Rates that differ by less than 1 % are taken for the same, so a listing and its XML give no row.
-- note: Pages that the reader recognises as a second printing are issues (fcx.repeat, hour_repeated). Their rows have no time and are not here.
{% set printed = "platform, system, moment, interval_start, utc_offset_s, length, interval_s, volume, file_id, printing" -%}
WITH each_row AS (
    SELECT
        'z/OS' AS platform, 'rmf' AS report, system, interval_start, utc_offset_s, interval_s, device, device AS volume,
        file_id, line, activity_rate AS io_rate
    FROM rmf_dasd_device
    {%- for report in ["fcx108", "fcx168"] %}
    UNION ALL
    SELECT
        'z/VM', '{{ report }}', system, interval_start, utc_offset_s, interval_s, addr,
        CASE WHEN type LIKE '->%' THEN trim(substr(type, 3)) ELSE addr END, file_id, line, rate_io
    FROM {{ report }}
    {%- endfor %}
),
counted AS (
    SELECT
        e.*,
        -- no start on the clock is where the first turns, and of lengths in use none is where the second does
        CAST(floor((unix_micros(interval_start) / 1e6 + 2) / 4) AS BIGINT) AS moment,
        CAST(round(interval_s / 15) AS BIGINT) AS length
    FROM each_row e
    WHERE io_rate IS NOT NULL AND interval_start IS NOT NULL
),
numbered AS (
    SELECT
        c.*,
        row_number() OVER (
            PARTITION BY platform, report, system, moment, utc_offset_s, length, device, file_id ORDER BY line
        ) AS printing
    FROM counted c
),
reported AS (
    SELECT {{ printed }}, report, sum(io_rate) AS io_rate FROM numbered GROUP BY {{ printed }}, report
),
printed AS (
    SELECT {{ printed }}, max(io_rate) AS io_rate FROM reported GROUP BY {{ printed }}
),
compared AS (
    SELECT
        p.*,
        row_number() OVER each_volume AS turn,
        first_value(file_id) OVER each_volume AS counted_file_id,
        first_value(io_rate) OVER each_volume AS counted_rate
    FROM printed p
    WINDOW each_volume AS (
        PARTITION BY platform, system, moment, utc_offset_s, length, volume
        ORDER BY interval_s, interval_start, file_id, printing
    )
)
SELECT
    platform, system,
    interval_start AS printed_start,
    max(interval_s) AS interval_s,
    file_id,
    min(counted_file_id) AS counted_file_id,
    count(*) AS devices,
    sum(io_rate) AS io_rate,
    sum(counted_rate) AS counted_rate,
    CAST(printing AS BIGINT) AS printing
FROM compared
WHERE turn > 1
GROUP BY platform, system, interval_start, file_id, printing
HAVING sum(abs(io_rate - counted_rate)) > 0.01 * sum(counted_rate)

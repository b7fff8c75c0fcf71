-- view: listing_repeat
-- layer: derived
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
-- note: Starts and lengths that differ by at most a second are one interval, as only one of them may be printed with fractions. The shorter length counts, then the earlier start, see listing_beside.
-- note: Rates that differ by less than 1 % are taken for the same, so a listing and its XML give no row.
-- note: Pages that the reader recognises as a second printing are issues (fcx.repeat, hour_repeated). Their rows have no time and are not here.
WITH each_row AS (
    SELECT
        'z/OS' AS platform, 'rmf' AS report, system, interval_start, utc_offset_s, interval_s, device, device AS volume,
        file_id, line, activity_rate AS io_rate
    FROM rmf_dasd_device
    UNION ALL
    SELECT
        'z/VM', 'fcx108', system, interval_start, utc_offset_s, interval_s, addr,
        CASE WHEN type LIKE '->%' THEN trim(substr(type, 3)) ELSE addr END, file_id, line, rate_io
    FROM fcx108
    UNION ALL
    SELECT
        'z/VM', 'fcx168', system, interval_start, utc_offset_s, interval_s, addr,
        CASE WHEN type LIKE '->%' THEN trim(substr(type, 3)) ELSE addr END, file_id, line, rate_io
    FROM fcx168
),
counted AS (
    SELECT
        e.*,
        -- of lengths in use none is where this turns
        CAST(round(interval_s / 15) AS BIGINT) AS length
    FROM each_row e
    WHERE io_rate IS NOT NULL AND interval_start IS NOT NULL
),
started AS (
    SELECT
        s.*,
        lag(interval_start) OVER (PARTITION BY platform, system, utc_offset_s, length ORDER BY interval_start) AS last_start
    FROM (SELECT DISTINCT platform, system, utc_offset_s, length, interval_start FROM counted) AS s
),
moment AS (
    SELECT
        platform, system, utc_offset_s, length, interval_start,
        max(CASE WHEN last_start IS NULL OR unix_micros(interval_start) - unix_micros(last_start) > 1000000 THEN interval_start END)
            OVER (PARTITION BY platform, system, utc_offset_s, length ORDER BY interval_start) AS first_start
    FROM started
),
numbered AS (
    SELECT
        p.*,
        m.first_start,
        row_number() OVER (
            PARTITION BY
                p.platform, p.report, p.system, m.first_start, p.utc_offset_s, p.length, p.device, p.file_id
            ORDER BY p.line
        ) AS printing
    FROM counted p
    JOIN moment m
        ON m.platform = p.platform AND m.system IS NOT DISTINCT FROM p.system
        AND m.utc_offset_s IS NOT DISTINCT FROM p.utc_offset_s AND m.length IS NOT DISTINCT FROM p.length
        AND m.interval_start = p.interval_start
),
reported AS (
    SELECT
        platform, report, system, first_start, interval_start, utc_offset_s, length, interval_s, volume, file_id,
        printing, sum(io_rate) AS io_rate
    FROM numbered
    GROUP BY
        platform, report, system, first_start, interval_start, utc_offset_s, length, interval_s, volume, file_id,
        printing
),
printed AS (
    SELECT
        platform, system, first_start, interval_start, utc_offset_s, length, interval_s, volume, file_id, printing,
        max(io_rate) AS io_rate
    FROM reported
    GROUP BY
        platform, system, first_start, interval_start, utc_offset_s, length, interval_s, volume, file_id, printing
),
compared AS (
    SELECT
        p.*,
        row_number() OVER each_volume AS turn,
        first_value(file_id) OVER each_volume AS counted_file_id,
        first_value(io_rate) OVER each_volume AS counted_rate
    FROM printed p
    WINDOW each_volume AS (
        PARTITION BY platform, system, first_start, utc_offset_s, length, volume
        ORDER BY interval_s, interval_start, file_id, printing
    )
)
SELECT
    platform,
    system,
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

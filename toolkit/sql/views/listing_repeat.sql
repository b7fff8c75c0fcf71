-- view: listing_repeat
-- layer: derived
-- title: Intervals that two listings, or one listing twice, print with different numbers: the later one is left out
-- grain: one row per platform, system, printed_start, file_id, printing
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column printed_start TIMESTAMP []: Start of the interval as the raw table has it: local time where the listing tells no offset
-- column interval_s DOUBLE [s]: Length of the interval
-- column file_id VARCHAR []: Listing that is left out
-- column counted_file_id VARCHAR []: Listing whose rows count
-- column devices BIGINT []: Devices that both print; a z/VM base and its aliases are one
-- column io_rate DOUBLE [per second]: Their I/Os in the listing left out
-- column counted_rate DOUBLE [per second]: Their I/Os in the listing that counts
-- column printing BIGINT []: How often the listing left out had printed them, this time included: 1 where it is another listing than the one that counts
-- note: In the night when clocks go back an hour is there twice, and a listing does not say which of the two it is; records do. Two runs with different options look the same.
-- note: A listing and its XML, which print the same, are no such rows: rates that differ by less than 1 % are taken for the same.
-- note: Readers set aside what a listing prints a second time where they see it (issues fcx.repeat and hour_repeated); rows without a time are not here.
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
numbered AS (
    SELECT
        e.*,
        row_number() OVER (
            PARTITION BY platform, report, system, interval_start, utc_offset_s, interval_s, device, file_id ORDER BY line
        ) AS printing
    FROM each_row e
    WHERE io_rate IS NOT NULL AND interval_start IS NOT NULL
),
reported AS (
    SELECT
        platform, report, system, interval_start, utc_offset_s, interval_s, volume, file_id, printing,
        sum(io_rate) AS io_rate
    FROM numbered
    GROUP BY platform, report, system, interval_start, utc_offset_s, interval_s, volume, file_id, printing
),
printed AS (
    SELECT
        platform, system, interval_start, utc_offset_s, interval_s, volume, file_id, printing, max(io_rate) AS io_rate
    FROM reported
    GROUP BY platform, system, interval_start, utc_offset_s, interval_s, volume, file_id, printing
),
compared AS (
    SELECT
        p.*,
        first_value(file_id) OVER (
            PARTITION BY platform, system, interval_start, utc_offset_s, interval_s, volume ORDER BY file_id, printing
        ) AS counted_file_id,
        first_value(io_rate) OVER (
            PARTITION BY platform, system, interval_start, utc_offset_s, interval_s, volume ORDER BY file_id, printing
        ) AS counted_rate
    FROM printed p
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
WHERE file_id <> counted_file_id OR printing > 1
GROUP BY platform, system, interval_start, file_id, printing
HAVING sum(abs(io_rate - counted_rate)) > 0.01 * sum(counted_rate)

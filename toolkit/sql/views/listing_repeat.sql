-- view: listing_repeat
-- layer: derived
-- title: Intervals that two listings print with different numbers: the later one is left out
-- grain: one row per platform, system, printed_start, file_id
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column printed_start TIMESTAMP []: Start of the interval as the raw table has it: local time where the listing tells no offset
-- column interval_s DOUBLE [s]: Length of the interval
-- column file_id VARCHAR []: Listing that is left out
-- column counted_file_id VARCHAR []: Listing whose rows count
-- column devices BIGINT []: Devices that both print
-- column io_rate DOUBLE [per second]: Their I/Os in the listing left out
-- column counted_rate DOUBLE [per second]: Their I/Os in the listing that counts
-- note: In the night when clocks go back an hour is there twice, and a listing does not say which of the two it is; records do. Two runs with different options look the same.
-- note: A listing and its XML, which print the same, are no such rows: rates that differ by less than 1 % are taken for the same.
WITH each_row AS (
    SELECT
        'z/OS' AS platform, system, interval_start, utc_offset_s, interval_s, device, file_id, activity_rate AS io_rate
    FROM rmf_dasd_device
    UNION ALL
    SELECT 'z/VM', system, interval_start, utc_offset_s, interval_s, addr, file_id, rate_io FROM fcx108
    UNION ALL
    SELECT 'z/VM', system, interval_start, utc_offset_s, interval_s, addr, file_id, rate_io FROM fcx168
),
printed AS (
    SELECT
        platform, system, interval_start, utc_offset_s, interval_s, device, file_id, max(io_rate) AS io_rate
    FROM each_row
    WHERE io_rate IS NOT NULL AND interval_start IS NOT NULL
    GROUP BY platform, system, interval_start, utc_offset_s, interval_s, device, file_id
),
compared AS (
    SELECT
        p.*,
        first_value(file_id) OVER (
            PARTITION BY platform, system, interval_start, utc_offset_s, interval_s, device ORDER BY file_id
        ) AS counted_file_id,
        first_value(io_rate) OVER (
            PARTITION BY platform, system, interval_start, utc_offset_s, interval_s, device ORDER BY file_id
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
    sum(counted_rate) AS counted_rate
FROM compared
WHERE file_id <> counted_file_id
GROUP BY platform, system, interval_start, file_id
HAVING sum(abs(io_rate - counted_rate)) > 0.01 * sum(counted_rate)

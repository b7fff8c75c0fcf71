-- view: listing_interval
-- layer: derived
-- title: The intervals of listings, converted to UTC, and whether a better source measured the same time
-- grain: one row per platform, report, owner, system, printed_start, printed_offset_s, printed_s
-- columns: platform, report, owner, system, printed_start, printed_offset_s, printed_s
-- column interval_start TIMESTAMP [UTC]: Start of the interval = printed_start - utc_offset_s; local time where utc_offset_s is NULL
-- columns: utc_offset_s
-- column kept BOOLEAN []: Rows of it are used: no better source measured all of its subjects at the same time
-- column left_out_for VARCHAR []: Why no row of it counts: records, listing (shorter ones), longer listing, clock (another interval has its interval_start once both are brought to UTC); NULL where it is kept
-- note: Records and shorter intervals replace rows device by device, channel by channel, LCU by LCU, if they cover more than half of the interval, see listing_beside. Some rows of a kept interval may be replaced.
WITH adjacent AS (
    SELECT
        platform, report, owner, system, printed_start, printed_offset_s, printed_s,
        CASE WHEN count(*) = count(left_out_for) THEN max(left_out_for) END AS left_out_for
    FROM listing_beside
    GROUP BY platform, report, owner, system, printed_start, printed_offset_s, printed_s
)
SELECT
    c.*,
    NOT c.clashes AND b.left_out_for IS NULL AS kept,
    CASE WHEN c.clashes THEN 'clock' ELSE b.left_out_for END AS left_out_for
FROM listing_clock c
LEFT JOIN adjacent b
    ON b.platform = c.platform
    AND b.report = c.report
    AND b.owner = c.owner
    AND b.system = c.system
    AND b.printed_start = c.printed_start
    AND b.printed_offset_s IS NOT DISTINCT FROM c.printed_offset_s
    AND b.printed_s IS NOT DISTINCT FROM c.printed_s

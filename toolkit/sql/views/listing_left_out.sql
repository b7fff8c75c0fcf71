-- view: listing_left_out
-- layer: derived
-- needs: listing_beside
-- title: Share of each interval of listing_beside that better sources cover
-- grain: one row per platform, report, owner, subject, interval_start, interval_s
-- columns: platform, report, owner
-- column subject VARCHAR []: Device, channel, LCU, subsystem or box, as in listing_beside
-- column interval_start TIMESTAMP [UTC]: Start of the interval, as in listing_beside
-- columns: interval_s, utc_offset_s
-- column counts BOOLEAN []: Rows of it count
-- column counted_s DOUBLE [s]: Seconds of it covered by used sources other than this interval
-- column missing_s DOUBLE [s]: Seconds of an ignored interval that no used source covers
-- column twice_s DOUBLE [s]: Seconds that count twice, where it counts itself: neither of two intervals holds the middle of the other; of two listings given for the later one
WITH row_of AS (
    SELECT
        platform, report, owner, subject, utc_offset_s, left_out_for IS NULL AS counts,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(greatest(least(coalesce(printed_s, 0), 604800), 1) * 1000000 AS BIGINT) AS end_us
    FROM listing_beside
),
spot AS (
    SELECT
        platform, report, owner, subject, start_us, end_us, bool_or(counts) AS counts, max(utc_offset_s) AS utc_offset_s
    FROM row_of
    GROUP BY platform, report, owner, subject, start_us, end_us
),
sampled AS (
    {{ records_of_owners("spot") }}
),
other AS (
    SELECT platform, report, owner, subject, start_us, end_us, FALSE AS is_record FROM spot WHERE counts
    UNION ALL
    SELECT platform, report, owner, subject, start_us, end_us, TRUE FROM sampled
),
longest AS (
    SELECT platform, report, owner, max(end_us - start_us) AS length_us FROM other GROUP BY platform, report, owner
),
slotted AS (
    SELECT s.*, power(2e0, ceil(log2(greatest(s.end_us - s.start_us, coalesce(l.length_us, 0))))) AS slot_us
    FROM spot s
    LEFT JOIN longest l ON l.platform = s.platform AND l.report = s.report AND l.owner = s.owner
),
pair AS (
    {{ overlaps("slotted", "other") }}
    WHERE o.is_record OR o.start_us <> s.start_us OR o.end_us <> s.end_us
),
-- records that an interval which counts is taken for
instead AS (
    SELECT DISTINCT p.platform, p.report, p.owner, p.subject, p.other_start_us, p.other_end_us
    FROM pair p
    JOIN spot s
        ON s.platform = p.platform AND s.report = p.report AND s.owner = p.owner AND s.subject = p.subject
        AND s.start_us = p.start_us AND s.end_us = p.end_us
    WHERE p.is_record AND p.has_middle AND s.counts
),
around AS (
    SELECT p.*
    FROM pair p
    LEFT JOIN instead i
        ON i.platform = p.platform AND i.report = p.report AND i.owner = p.owner AND i.subject = p.subject
        AND i.other_start_us = p.other_start_us AND i.other_end_us = p.other_end_us
    WHERE NOT p.is_record OR i.subject IS NULL
),
counted AS (
    {{ covered_us("around", "platform, report, owner, subject, start_us, end_us") }}
),
-- the overlap of two listings is given for one of them, so that it adds up
earlier AS (
    SELECT *
    FROM around
    WHERE is_record OR other_start_us < start_us OR (other_start_us = start_us AND other_end_us < end_us)
),
twice AS (
    {{ covered_us("earlier", "platform, report, owner, subject, start_us, end_us") }}
)
SELECT
    s.platform,
    s.report,
    s.owner,
    s.subject,
    CAST(timestamp_micros(s.start_us) AS TIMESTAMP) AS interval_start,
    (s.end_us - s.start_us) / 1e6 AS interval_s,
    s.utc_offset_s,
    s.counts,
    coalesce(c.covered_us, 0) / 1e6 AS counted_s,
    CASE WHEN NOT s.counts THEN (s.end_us - s.start_us - coalesce(c.covered_us, 0)) / 1e6 END AS missing_s,
    CASE WHEN s.counts THEN coalesce(t.covered_us, 0) / 1e6 END AS twice_s
FROM spot s
LEFT JOIN counted c
    ON c.platform = s.platform AND c.report = s.report AND c.owner = s.owner AND c.subject = s.subject
    AND c.start_us = s.start_us AND c.end_us = s.end_us
LEFT JOIN twice t
    ON t.platform = s.platform AND t.report = s.report AND t.owner = s.owner AND t.subject = s.subject
    AND t.start_us = s.start_us AND t.end_us = s.end_us

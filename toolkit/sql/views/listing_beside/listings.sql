-- feeds: listing_beside
-- source: rmf.device, rmf.chan, rmf.ioq, rmf.cache, rmf.ess, fcx108, fcx109, fcx110, fcx111, fcx168, fcx176, fcx177
-- formula platform: z/OS for RMF's reports, z/VM for Performance Toolkit's (high)
-- formula report: device, channel, queue, cache, box, detail or paging, by the report (high)
-- formula owner: as in listing_clock (high)
-- formula system: as in the listing (high)
-- formula printed_start: as in the listing (high)
-- formula printed_offset_s: as in the listing (high)
-- formula printed_s: as in the listing (high)
-- formula interval_start: as in listing_clock (high)
-- formula utc_offset_s: as in listing_clock (high)
-- formula subject: DEV NUM, CHPID, LCU, SSID or serial number; Addr of z/VM; the system where a row is about none of these alone (high)
-- formula recorded_s: time that intervals of records (see record_sample) have in common with it, each moment once (high)
-- formula held_s: the same of records and of shorter intervals of listings (high)
-- formula left_out_for: records or listing where held_s, of a z/VM alias that of its base, is more than half of printed_s, by which of the two hold more; longer listing where its middle is in an interval that counts for the subject (high)
WITH page AS (
    SELECT
        platform, report, owner, system, printed_start, printed_offset_s, printed_s, interval_start, utc_offset_s,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(greatest(least(coalesce(printed_s, 0), 604800), 1) * 1000000 AS BIGINT) AS end_us
    FROM listing_clock
    WHERE NOT clashes AND (platform = 'z/OS' OR report <> 'channel')
),
sampled AS (
    {{ records_of_owners("page") }}
),
timeline AS (
    SELECT
        t.*,
        max(end_us) OVER (
            PARTITION BY platform, report, owner ORDER BY start_us, end_us ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) AS ended_us,
        lead(start_us) OVER (PARTITION BY platform, report, owner ORDER BY start_us, end_us) AS next_us
    FROM (
        SELECT DISTINCT platform, report, owner, start_us, end_us, FALSE AS is_record FROM page
        UNION ALL
        SELECT DISTINCT platform, report, owner, start_us, end_us, TRUE FROM sampled
    ) AS t
),
-- what has to do with nothing else is most of a lake, and needs no look at its rows
adjacent AS (
    SELECT p.*
    FROM page p
    JOIN timeline t
        ON t.platform = p.platform AND t.report = p.report AND t.owner = p.owner
        AND t.start_us = p.start_us AND t.end_us = p.end_us
    WHERE NOT t.is_record AND (t.ended_us > t.start_us OR t.next_us < t.end_us)
),
reported AS (
    SELECT
        b.platform, b.report, b.owner, b.system, b.printed_start, b.printed_offset_s, b.printed_s, b.interval_start,
        b.utc_offset_s, b.start_us, b.end_us, t.subject, coalesce(max(t.leader), t.subject) AS leader
    FROM adjacent b
    JOIN (
        {{ printed_rows() }}
    ) t
        ON t.platform = b.platform AND t.report = b.report AND t.owner = b.owner AND t.system = b.system
        AND t.interval_start = b.printed_start
        AND t.utc_offset_s IS NOT DISTINCT FROM b.printed_offset_s
        AND t.interval_s IS NOT DISTINCT FROM b.printed_s
    WHERE t.subject IS NOT NULL
    GROUP BY
        b.platform, b.report, b.owner, b.system, b.printed_start, b.printed_offset_s, b.printed_s, b.interval_start,
        b.utc_offset_s, b.start_us, b.end_us, t.subject
),
led AS (
    SELECT platform, report, owner, subject, start_us, end_us, max(leader) AS leader
    FROM reported
    GROUP BY platform, report, owner, subject, start_us, end_us
),
longest AS (
    SELECT platform, report, owner, max(end_us - start_us) AS length_us FROM sampled GROUP BY platform, report, owner
),
slotted AS (
    -- a shorter one is looked for, and a record
    SELECT t.*, power(2e0, ceil(log2(greatest(t.end_us - t.start_us, coalesce(l.length_us, 0))))) AS slot_us
    FROM led t
    LEFT JOIN longest l ON l.platform = t.platform AND l.report = t.report AND l.owner = t.owner
),
other AS (
    SELECT platform, report, owner, subject, start_us, end_us, FALSE AS is_record FROM led
    UNION ALL
    SELECT platform, report, owner, subject, start_us, end_us, TRUE FROM sampled
),
pair AS (
    {{ overlaps("slotted", "other") }}
    WHERE o.is_record
        -- of two as long the one that begins earlier goes before
        OR o.end_us - o.start_us < s.end_us - s.start_us
        OR (o.end_us - o.start_us = s.end_us - s.start_us AND o.start_us < s.start_us)
),
held AS (
    {{ covered_us("pair", "platform, report, owner, subject, start_us, end_us") }}
),
recorded_pair AS (
    SELECT * FROM pair WHERE is_record
),
recorded AS (
    {{ covered_us("recorded_pair", "platform, report, owner, subject, start_us, end_us") }}
),
weighed AS (
    SELECT
        t.*,
        coalesce(r.covered_us, 0) AS recorded_us,
        coalesce(h.covered_us, 0) AS held_us,
        coalesce(
            max(CASE WHEN t.subject = t.leader THEN coalesce(h.covered_us, 0) END)
                OVER (PARTITION BY t.platform, t.report, t.owner, t.leader, t.start_us, t.end_us),
            h.covered_us,
            0
        ) * 2 > t.end_us - t.start_us AS is_replaced
    FROM led t
    LEFT JOIN held h
        ON h.platform = t.platform AND h.report = t.report AND h.owner = t.owner AND h.subject = t.subject
        AND h.start_us = t.start_us AND h.end_us = t.end_us
    LEFT JOIN recorded r
        ON r.platform = t.platform AND r.report = t.report AND r.owner = t.owner AND r.subject = t.subject
        AND r.start_us = t.start_us AND r.end_us = t.end_us
),
within_longer AS (
    SELECT DISTINCT p.platform, p.report, p.owner, p.subject, p.other_start_us, p.other_end_us
    FROM pair p
    JOIN weighed w
        ON w.platform = p.platform AND w.report = p.report AND w.owner = p.owner AND w.subject = p.subject
        AND w.start_us = p.start_us AND w.end_us = p.end_us
    WHERE p.has_middle AND NOT p.is_record AND NOT w.is_replaced
),
decided AS (
    SELECT
        w.*,
        CASE
            WHEN max(CASE WHEN w.subject = w.leader THEN 1 END) OVER led_by IS NULL
                THEN w.is_replaced OR l.subject IS NOT NULL
            ELSE max(CASE WHEN w.subject = w.leader AND (w.is_replaced OR l.subject IS NOT NULL) THEN 1 END) OVER led_by
                IS NOT NULL
        END AS is_left_out
    FROM weighed w
    LEFT JOIN within_longer l
        ON l.platform = w.platform AND l.report = w.report AND l.owner = w.owner AND l.subject = w.subject
        AND l.other_start_us = w.start_us AND l.other_end_us = w.end_us
    WINDOW led_by AS (PARTITION BY w.platform, w.report, w.owner, w.leader, w.start_us, w.end_us)
)
SELECT
    t.platform,
    t.report,
    t.owner,
    t.system,
    t.printed_start,
    t.printed_offset_s,
    t.printed_s,
    t.interval_start,
    t.utc_offset_s,
    t.subject,
    d.recorded_us / 1e6 AS recorded_s,
    d.held_us / 1e6 AS held_s,
    CASE
        WHEN NOT d.is_left_out THEN NULL
        WHEN NOT d.is_replaced THEN 'longer listing'
        WHEN 2 * d.recorded_us >= d.held_us THEN 'records'
        ELSE 'listing'
    END AS left_out_for
FROM reported t
JOIN decided d
    ON d.platform = t.platform AND d.report = t.report AND d.owner = t.owner AND d.subject = t.subject
    AND d.start_us = t.start_us AND d.end_us = t.end_us

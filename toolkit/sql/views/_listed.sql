-- reach: a day
-- stored: no
-- title: Every row of a listing in UTC
-- grain: one row per row of a report
-- columns: platform, report, owner, subject, leader, interval_start, interval_s
SELECT p.platform, p.report, p.owner, p.subject, p.leader, l.interval_start, p.interval_s
FROM _printed p
{{ join_listing_clock("p", "p.platform") }}

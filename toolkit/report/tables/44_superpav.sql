-- title: SuperPAV borrowing
-- about: LCUs that take aliases from others of their alias management group when their own are in use, over the whole span (type 78.3).
-- missing: No LCU borrowed or lent an alias, or the lake has no such data (type 78.3).
-- columns: lcu, system
-- column alias_group: Group
-- column needed .0: Times an alias was needed
-- column borrowed .0: Borrowed
-- column borrowed_high_water: Borrowed at once, most
-- column home_empty .0: Own aliases all in use
-- column loaned .0: Lent
-- column loaned_high_water: Lent at once, most
-- column not_lent .0: Found none to borrow
-- column refusals_per_io .3: Refusals per I/O, worst
SELECT lcu, system, max(alias_group) AS alias_group, sum(alias_need_count) AS needed,
       sum(alias_borrowed_count) AS borrowed, max(alias_borrowed_high_water) AS borrowed_high_water,
       sum(alias_home_empty_count) AS home_empty, sum(alias_loaned_count) AS loaned,
       max(alias_loaned_high_water) AS loaned_high_water, sum(alias_not_lent_count) AS not_lent,
       max(alias_denied_ratio) AS refusals_per_io
FROM lcu_interval
WHERE alias_borrowed_count IS NOT NULL OR alias_loaned_count IS NOT NULL
GROUP BY platform, lcu, system
HAVING coalesce(sum(alias_borrowed_count), 0) + coalesce(sum(alias_loaned_count), 0)
       + coalesce(sum(alias_not_lent_count), 0) > 0
ORDER BY not_lent DESC NULLS LAST, borrowed DESC NULLS LAST, lcu, system

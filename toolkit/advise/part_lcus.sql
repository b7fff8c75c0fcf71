-- question: part_lcus
-- title: LCUs a connection shows, of lakes without volumes, as from an I/O queuing listing alone
-- grain: one row per system, lcu
-- note: Filters of volumes don't narrow lcu_extra.
SELECT DISTINCT system, lcu FROM lcu_extra

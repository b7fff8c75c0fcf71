-- title: LCUs of a connection, for lakes without volumes, as from an I/O queuing listing alone
-- grain: one row per system, lcu
-- note: Volume filters do not apply to lcu_extra.
SELECT DISTINCT system, lcu FROM lcu_extra

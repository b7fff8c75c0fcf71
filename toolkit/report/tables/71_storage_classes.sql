-- title: Storage classes and VTOCs
-- about: SMS storage classes, then VTOC, VTOC index and VVDS of all volumes, over the whole span (type 42 subtype 5; its layout rests on one source).
-- missing: The lake has no storage class statistics (type 42 subtype 5).
-- column component: Storage class, or kind of data
-- columns: system
-- column io_rate .2: I/Os per s
-- column response_ms .3: Response ms
-- column pend_ms .3: Pend ms
-- column disc_ms .3: Disc ms
-- column conn_ms .3: Conn ms
-- column hit_percent .1: Cache hits %
WITH measured AS (
    SELECT FALSE AS is_vtoc, storage_class AS component, system, interval_start, interval_s,
           {{ each("NAME", "io_rate response_ms pend_ms disc_ms conn_ms hit_ratio") }}
    FROM storage_class_interval
    UNION ALL
    SELECT TRUE, component, system, interval_start, interval_s,
           {{ each("NAME", "io_rate response_ms pend_ms disc_ms conn_ms hit_ratio") }}
    FROM vtoc_interval
),
spans AS (
    SELECT system, sum(interval_s) AS span_s
    FROM (SELECT DISTINCT system, interval_start, interval_s FROM measured)
    GROUP BY system
)
SELECT m.component, m.system, sum(m.io_rate * m.interval_s) / nullif(max(s.span_s), 0) AS io_rate,
       {{ each(mean_of("m.NAME", "m.io_rate * m.interval_s"), "response_ms pend_ms disc_ms conn_ms") }},
       100 * {{ mean_of("m.hit_ratio", "m.io_rate * m.interval_s") }} AS hit_percent
FROM measured m
JOIN spans s ON s.system = m.system
GROUP BY m.is_vtoc, m.component, m.system
ORDER BY m.is_vtoc, io_rate DESC, m.system, m.component

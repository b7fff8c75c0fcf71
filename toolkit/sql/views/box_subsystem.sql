-- title: Which box a subsystem (SSID) belonged to at which time
-- grain: one row per subsystem, since
-- columns: subsystem
-- column since TIMESTAMP [UTC]: From when on; 1900 if no record has another box before
-- column until TIMESTAMP [UTC]: Until when; 9999 if no record has another box afterwards
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id if no record has it, or records name several at once = NEDSEQN of the 74.5 control section; SERIAL of the RMF cache report
-- column serial VARCHAR []: Serial number as recorded, with leading zeros; NULL if no record has it, or records name several at once
-- column control_unit_type VARCHAR []: Machine type and model = NEDTYPEN and NEDMODN; TYPE-MODEL of the RMF cache report
-- column boxes VARCHAR []: Names of all boxes that records name with this subsystem id at once, in order, separated by |; NULL where there is one at most
-- note: If a new box takes over the subsystem ids of an old one, the change is placed halfway between the last record of the old box and the first of the new one.
-- note: A subsystem id that is in several boxes at once, in most hours, stands for its own box, and each row may be of any of them. Of two such sites only one's cache statistics are shown, with a notice in iosq advise. Load sites with the same ids into separate lakes.
-- note: The view is computed over the whole lake, whatever the filter, so a box does not depend on the filter.
WITH named AS (
    SELECT subsystem, serial, control_unit_type, in_hour, first_us, last_us, middle_us FROM _subsystem_hour
    UNION ALL
    SELECT
        s.subsystem, nullif(s.serial, ''), s.type_model, {{ hour_of("l.interval_start") }},
        {{ moments_of_hour("l.interval_start", "s.interval_s") }}
    FROM rmf_cache_status s
    {{ join_listing_clock("s", "'z/OS'") }}
    WHERE s.subsystem <> ''
    GROUP BY s.subsystem, nullif(s.serial, ''), s.type_model, {{ hour_of("l.interval_start") }}
),
seen AS (
    SELECT *, nullif(trim(LEADING '0' FROM serial), '') AS box FROM named
),
homes_seen AS (
    SELECT
        'box' AS kind, subsystem AS subject, box AS what, in_hour,
        min(first_us) AS first_us, max(last_us) AS last_us, max(middle_us) AS middle_us
    FROM seen
    WHERE box IS NOT NULL
    GROUP BY subsystem, box, in_hour
),
{{ periods("homes_seen") }},
each_box AS (
    SELECT subsystem, box, max(serial) AS serial, max(control_unit_type) AS control_unit_type
    FROM seen
    WHERE box IS NOT NULL
    GROUP BY subsystem, box
),
at_any_time AS (
    SELECT
        subsystem,
        CASE WHEN count(DISTINCT box) = 1 THEN max(box) ELSE subsystem END AS box,
        -- of two boxes at once a name would be the wrong one for some rows
        CASE WHEN count(DISTINCT box) < 2 THEN max(serial) END AS serial,
        CASE WHEN count(DISTINCT box) < 2 THEN max(control_unit_type) END AS control_unit_type,
        CASE WHEN count(DISTINCT box) > 1 THEN array_join(sort_array(collect_set(box)), '|') END AS boxes
    FROM seen
    GROUP BY subsystem
)
SELECT
    a.subsystem,
    coalesce(CAST(timestamp_micros(t.since_us) AS TIMESTAMP), {{ beginning_of_time() }}) AS since,
    coalesce(CAST(timestamp_micros(t.until_us) AS TIMESTAMP), {{ end_of_time() }}) AS until,
    coalesce(t.what, a.box) AS box,
    CASE WHEN t.what IS NULL THEN a.serial ELSE e.serial END AS serial,
    CASE WHEN t.what IS NULL THEN a.control_unit_type ELSE e.control_unit_type END AS control_unit_type,
    CASE WHEN t.what IS NULL THEN a.boxes END AS boxes
FROM at_any_time a
LEFT JOIN turn t ON t.subject = a.subsystem
LEFT JOIN each_box e ON e.subsystem = t.subject AND e.box = t.what

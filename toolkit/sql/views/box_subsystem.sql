-- view: box_subsystem
-- layer: derived
-- title: Which box a subsystem (SSID) belongs to
-- grain: one row per subsystem
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it = NEDSEQN of the 74.5 control section; SERIAL of the RMF cache report
-- column serial VARCHAR []: Serial number as recorded, with leading zeros; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model = NEDTYPEN and NEDMODN; TYPE-MODEL of the RMF cache report
-- column boxes VARCHAR []: Names of all boxes that records name with this subsystem id, in order, separated by |; NULL where there is one at most
-- note: Where a subsystem id stands in several boxes, the last serial number in alphabetical order is taken: of two sites, only one's cache statistics are told, as iosq advise says. Keep sites with the same ids in lakes of their own.
-- note: The lake is asked as a whole, whatever part of it a filter shows: a box is the same box on any day.
WITH machine AS (
    SELECT
        record_id,
        max(nullif(NEDSEQN, '')) AS serial,
        max(nullif(NEDTYPEN, '') || coalesce('-' || nullif(NEDMODN, ''), '')) AS control_unit_type
    FROM smf74_5_cache_control
    GROUP BY record_id
),
named AS (
    SELECT record_id, R745SSID AS subsystem FROM smf74_5_cache_status
    UNION
    SELECT record_id, R745DSID AS subsystem FROM smf74_5_cache_device
)
SELECT
    subsystem,
    coalesce(max(nullif(trim(LEADING '0' FROM serial), '')), subsystem) AS box,
    max(serial) AS serial,
    max(control_unit_type) AS control_unit_type,
    CASE
        WHEN count(DISTINCT nullif(trim(LEADING '0' FROM serial), '')) > 1
            THEN array_join(sort_array(collect_set(nullif(trim(LEADING '0' FROM serial), ''))), '|')
    END AS boxes
FROM (
    SELECT n.subsystem, m.serial, m.control_unit_type
    FROM named n
    JOIN machine m ON m.record_id = n.record_id
    UNION ALL
    SELECT subsystem, nullif(serial, '') AS serial, type_model AS control_unit_type
    FROM rmf_cache_status
) AS told
WHERE subsystem <> ''
GROUP BY subsystem

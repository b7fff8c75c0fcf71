-- view: box_subsystem
-- layer: derived
-- title: Which box a subsystem (SSID) belongs to
-- grain: one row per subsystem
-- column subsystem VARCHAR []: Subsystem id (SSID)
-- column box VARCHAR []: Serial number of the box without leading zeros = NEDSEQN of the 74.5 control section; SERIAL of the RMF cache report
-- note: Where a subsystem id stands in several boxes, the last serial number in alphabetical order is taken.
SELECT subsystem, max(box) AS box
FROM (
    SELECT s.R745SSID AS subsystem, ltrim(c.NEDSEQN, '0') AS box
    FROM smf74_5_cache_control c
    JOIN smf74_5_cache_status s ON s.record_id = c.record_id
    UNION ALL
    SELECT subsystem, ltrim(serial, '0') AS box
    FROM rmf_cache_status
) AS told
WHERE subsystem <> '' AND box <> ''
GROUP BY subsystem

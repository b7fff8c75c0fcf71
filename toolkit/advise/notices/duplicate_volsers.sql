-- title: Volume serials that systems name in several subsystems at once
-- grain: one row if there are any
-- column unplaced VARCHAR []: A system whose disk of that serial is unknown; NULL where there is none
-- note: Computed over the whole lake, for the volumes in the selected part.
SELECT
    count(DISTINCT volume) AS volumes,
    min(volume) AS volume,
    max(CASE WHEN volume = first_volume THEN duplicates END) AS duplicates,
    min(CASE WHEN subsystem IS NULL THEN system END) AS unplaced
FROM (
    SELECT v.*, min(volume) OVER () AS first_volume FROM volume_box v WHERE duplicates IS NOT NULL
) AS duplicate
HAVING count(*) > 0

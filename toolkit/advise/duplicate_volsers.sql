-- question: duplicate_volsers
-- title: Volume serials that systems name in several subsystems at once
-- grain: one row
-- column unplaced VARCHAR []: A system whose disk of that serial is unknown; NULL where there is none
-- note: Of the whole lake, whatever part of it is asked about, and of the volumes in that part.
WITH twin AS (
    SELECT volume, max(duplicates) AS duplicates, min(CASE WHEN subsystem IS NULL THEN system END) AS unplaced
    FROM volume_box
    WHERE duplicates IS NOT NULL
    GROUP BY volume
),
summed AS (
    SELECT count(*) AS volumes, min(volume) AS volume, min(unplaced) AS unplaced FROM twin
)
SELECT s.volumes, s.volume, t.duplicates, s.unplaced
FROM summed s
LEFT JOIN twin t ON t.volume = s.volume

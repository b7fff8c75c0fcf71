-- title: Volumes whose LCU, device number or box changed, or whose kind of PAV or mirror did: each place with start and end, and the one before
-- grain: one row per platform, system, volume, lcu, device, box, subsystem, pav, is_mirrored, seen_start
-- column device VARCHAR []: Device number, where the LCU is unknown (z/VM)
-- column pav VARCHAR []: no PAV, static PAV, HyperPAV or, from the first such interval of an LCU that was not, SuperPAV; NULL if unknown
-- column is_named BOOLEAN []: The box goes by its serial number
-- column seen_start TIMESTAMP [local time]: Start of the first interval there
-- column seen_end TIMESTAMP [local time]: End of the last interval there
-- column left_lcu VARCHAR []: LCU before; NULL where it was nowhere else or the LCU is unknown, as the one that follows
-- column left_device VARCHAR []: Device number before, where the LCU is unknown
-- column left_box VARCHAR []: Box before, where both boxes go by their serial number
-- column left_subsystem VARCHAR []: Subsystem id before
-- column left_pav VARCHAR []: Kind of PAV before
-- column left_end TIMESTAMP [local time]: End of the last interval in the place before
-- column is_mirrored BOOLEAN []: Its writes go to a PPRC pair that is not suspended, or tracks are sent to one; NULL where that never changed
-- column was_mirrored BOOLEAN []: The same of the place before; where it is mirrored, of any before
-- column becomes_mirrored BOOLEAN []: The same of the place after
WITH {{ volume_places() }}
SELECT
    platform, system, volume, lcu, device, box, subsystem, pav, is_named, seen_start, seen_end,
    {{ each("lag(NAME) OVER w", "lcu device", "left_NAME") }},
    lag(CASE WHEN is_named THEN box END) OVER w AS left_box,
    {{ each("lag(NAME) OVER w", "subsystem pav", "left_NAME") }},
    lag(seen_end) OVER w AS left_end,
    is_mirrored,
    -- mirrored again is a part of the finding about its loss
    CASE
        WHEN is_mirrored
            THEN bool_or(is_mirrored) OVER (
                PARTITION BY platform, system, volume ORDER BY seen_start, seen_end
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            )
        ELSE lag(is_mirrored) OVER w
    END AS was_mirrored,
    lead(is_mirrored) OVER w AS becomes_mirrored
FROM place
WINDOW w AS (PARTITION BY platform, system, volume ORDER BY seen_start, seen_end)
ORDER BY platform, system, volume, seen_start, seen_end

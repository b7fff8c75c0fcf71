-- title: Tape libraries
-- about: Mounts of each library over the whole span (type 94.1).
-- missing: The lake has no tape library statistics (type 94.1).
-- column library: Library
-- column library_type: Type
-- column mounts .0: Mounts
-- column mount_s .0: Mount s, mean
-- column mount_longest_s .0: Mount s, longest
-- column peak: Longest, local time
-- column mount_pending_high_water .0: Mounts pending at once, most
-- column ejects .0: Ejects
-- column eject_s .0: Eject s, mean
-- column audits .0: Audits
SELECT library, max(library_type) AS library_type, CAST(sum(mount_count) AS BIGINT) AS mounts,
       sum(mount_s * mount_count) / nullif(sum(mount_count), 0) AS mount_s, max(mount_longest_s) AS mount_longest_s,
       max_by(local_start, peak_order(mount_longest_s, local_start)) AS peak,
       max(mount_pending_high_water) AS mount_pending_high_water,
       CAST(sum(eject_count) AS BIGINT) AS ejects,
       sum(eject_s * eject_count) / nullif(sum(eject_count), 0) AS eject_s, CAST(sum(audit_count) AS BIGINT) AS audits
FROM tape_library_interval
GROUP BY library
ORDER BY mount_longest_s DESC NULLS LAST, library

-- title: Volumes that jobs of some service classes use
-- grain: one row per system, service_class, volser
-- parameter $classes VARCHAR []: Their names, each between two |
SELECT DISTINCT system, service_class, volser
FROM dataset_interval
WHERE io_count > 0 AND instr($classes, '|' || service_class || '|') > 0
ORDER BY system, service_class, volser

-- question: idle_volume
-- title: Volumes with hardly any I/O
-- grain: one row per platform, volume
-- parameter $ios_per_hour DOUBLE [I/Os per hour]: That still count as idle
-- parameter $hours DOUBLE [hours]: Read at least
-- column platform VARCHAR []: Operating system that measured
-- column volume VARCHAR []: Volume as in volume_interval
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column exposures DOUBLE []: Base plus aliases, most
-- column is_hyperpav BOOLEAN []: HyperPAV base
-- column ios DOUBLE [I/Os]: I/Os of all systems, whole span
-- column hours DOUBLE [hours]: Length of the measurements, mean over systems
-- column systems BIGINT []: Systems that see it
WITH used AS (
    SELECT
        platform, volume,
        max(lcu) AS lcu,
        max(exposures) AS exposures,
        bool_or(is_hyperpav) AS is_hyperpav,
        sum(io_rate * interval_s) AS ios,
        sum(interval_s) / count(DISTINCT system) / 3600 AS hours,
        count(DISTINCT system) AS systems
    FROM volume_interval
    WHERE lcu IS NOT NULL AND io_rate IS NOT NULL
    GROUP BY platform, volume
)
SELECT platform, volume, lcu, exposures, is_hyperpav, ios, hours, systems
FROM used
WHERE ios / nullif(hours, 0) <= $ios_per_hour AND hours >= $hours
ORDER BY platform, lcu, volume

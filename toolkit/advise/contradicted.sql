-- question: contradicted
-- title: Volumes with more I/Os in progress than their exposures can hold, by system, with the worst of each
-- grain: one row per platform, system
-- column system VARCHAR []: System id
-- column volumes BIGINT []: Such volumes
-- column volume VARCHAR []: The one with most I/Os for its exposures, and what follows of its worst interval
-- column io_rate DOUBLE [per second]: I/O rate of all addresses
-- column service_ms DOUBLE [milliseconds]: Mean service time
-- column in_service DOUBLE []: Mean number of I/Os in progress
-- column exposures DOUBLE []: Base plus aliases
-- column local_start TIMESTAMP [local time]: Start of that interval
-- column local_end TIMESTAMP [local time]: End of that interval
WITH worst AS (
    SELECT
        u.*,
        row_number() OVER (
            PARTITION BY platform, system, volume ORDER BY in_service / exposures DESC, interval_start
        ) AS place
    FROM unfit_interval u
    WHERE is_overfull
),
ranked AS (
    SELECT
        w.*,
        count(*) OVER (PARTITION BY platform, system) AS volumes,
        row_number() OVER (PARTITION BY platform, system ORDER BY in_service / exposures DESC, volume) AS rank
    FROM worst w
    WHERE place = 1
)
SELECT system, volumes, volume, io_rate, service_ms, in_service, exposures, local_start, local_end
FROM ranked
WHERE rank = 1
ORDER BY platform, system

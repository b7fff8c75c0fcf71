-- title: Volumes with more I/Os in progress than their exposures can hold, by system, with the worst of each
-- grain: one row per platform, system
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

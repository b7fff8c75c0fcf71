-- title: Device addresses of an LCU used by bases and aliases
-- grain: one row per platform, lcu
-- columns: platform, lcu
-- column bases BIGINT []: Device addresses of bases and plain devices, all systems
-- column static_aliases BIGINT []: Static aliases of its volumes; NULL where the exposures of one are unknown
-- column hyperpav_aliases BIGINT []: Aliases of its HyperPAV pool, most of all systems and intervals; 0 without HyperPAV, NULL where no record has them
-- column volumes BIGINT []: Volumes without HyperPAV
-- note: An address within an LCU is one byte (S/390 and z/Architecture I/O definition): 256 of them.
-- note: A static alias has no record in type 74.1, so exposures less one of each base are counted. Addresses without a record on any system are not counted, so the counts are minimums.
WITH lcu_base AS (
    SELECT platform, lcu, count(DISTINCT device) AS bases
    FROM device_interval
    WHERE lcu IS NOT NULL AND coalesce(device_class, 'dasd') = 'dasd' AND role <> 'alias'
    GROUP BY platform, lcu
),
static_volume AS (
    SELECT platform, lcu, volume, max(exposures) AS exposures
    FROM pav_candidate
    WHERE is_hyperpav IS NOT TRUE AND lcu IS NOT NULL
    GROUP BY platform, lcu, volume
),
static_alias AS (
    SELECT
        platform, lcu,
        CASE WHEN count(exposures) = count(*) THEN CAST(sum(at_least_0(round(exposures) - 1)) AS BIGINT) END AS static_aliases,
        count(*) AS volumes
    FROM static_volume
    GROUP BY platform, lcu
),
pool AS (
    -- as each system has them last: addresses that were given back are free
    SELECT platform, lcu, CAST(max(hyperpav_aliases) AS BIGINT) AS hyperpav_aliases
    FROM (
        SELECT platform, system, lcu, {{ last_of("hyperpav_aliases") }} AS hyperpav_aliases
        FROM lcu_interval
        GROUP BY platform, system, lcu
    ) AS of_system
    GROUP BY platform, lcu
)
SELECT
    b.platform, b.lcu, b.bases,
    CASE WHEN a.lcu IS NULL THEN 0 ELSE a.static_aliases END AS static_aliases,
    CASE WHEN h.lcu IS NULL THEN coalesce(p.hyperpav_aliases, 0) ELSE p.hyperpav_aliases END AS hyperpav_aliases,
    coalesce(a.volumes, 0) AS volumes
FROM lcu_base b
LEFT JOIN static_alias a ON a.platform = b.platform AND a.lcu = b.lcu
LEFT JOIN pool p ON p.platform = b.platform AND p.lcu = b.lcu
LEFT JOIN (SELECT DISTINCT platform, lcu FROM pav_candidate WHERE is_hyperpav) h ON h.platform = b.platform AND h.lcu = b.lcu

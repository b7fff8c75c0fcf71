-- title: Location of volumes, to resolve names on the command line
-- grain: one row per platform, system, volume, lcu
-- column lcu VARCHAR []: Logical control unit, 4 hex digits; empty where unknown
-- column fixed_block VARCHAR []: Device type if it takes no aliases; else NULL
SELECT DISTINCT
    v.platform, v.system, v.volume, coalesce(v.lcu, '') AS lcu, coalesce(v.is_hyperpav, FALSE) AS is_hyperpav,
    CASE WHEN NOT {{ takes_aliases("v.device_type") }} THEN v.device_type END AS fixed_block
FROM volume_interval v
ORDER BY platform, system, volume, lcu, is_hyperpav

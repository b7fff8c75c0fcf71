-- question: predict_places
-- title: Where volumes are: what a name on the command line stands for
-- grain: one row per platform, system, volume, lcu
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column volume VARCHAR []: Volume serial, or device where it has none
-- column lcu VARCHAR []: Logical control unit, 4 hex digits; empty where unknown
-- column is_hyperpav BOOLEAN []: Whether the volume takes aliases from a pool
-- column fixed_block VARCHAR []: Device type where it takes no aliases; NULL elsewhere
SELECT DISTINCT
    platform, system, volume, coalesce(lcu, '') AS lcu, coalesce(is_hyperpav, FALSE) AS is_hyperpav,
    CASE WHEN NOT {{ takes_aliases("device_type") }} THEN device_type END AS fixed_block
FROM volume_interval
ORDER BY platform, system, volume, lcu, is_hyperpav

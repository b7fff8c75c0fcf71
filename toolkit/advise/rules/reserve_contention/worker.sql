-- title: Systems that use a volume while the I/Os of another one wait for it, far more than in most of their intervals
-- grain: one row per platform, system, volume
-- column other_user VARCHAR []: The one that keeps it busy most
-- column other_rate DOUBLE [per second]: Its I/O rate at the volume then
-- column other_usual_rate DOUBLE [per second]: The same, median of all its intervals
-- column unlike_devices VARCHAR []: Device number of the volume on both, where they differ and no record names its box: perhaps two disks of one label
WITH {{ other_use() }},
working AS (
    SELECT o.platform, o.system, o.volume, o.other, avg(o.io_rate) AS other_rate, u.other_usual_rate, avg(o.in_service) AS in_service,
        max(o.unlike_devices) AS unlike_devices
    FROM other_use o
    JOIN (
        SELECT
            v.system, v.volume, percentile_cont(0.5) WITHIN GROUP (ORDER BY v.io_rate) AS other_usual_rate,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY CASE WHEN v.io_rate = 0 THEN 0 ELSE v.in_service END) AS usual_in_service
        FROM volume_interval v
        JOIN (SELECT DISTINCT other, volume FROM other_use WHERE is_same) AS s ON s.other = v.system AND s.volume = v.volume
        GROUP BY v.system, v.volume
    ) AS u ON u.system = o.other AND u.volume = o.volume
    WHERE o.is_same
    GROUP BY o.platform, o.system, o.volume, o.other, u.other_usual_rate, u.usual_in_service
    HAVING avg(o.in_service) >= greatest($in_use, $in_use_times * u.usual_in_service)
)
SELECT
    platform, system, volume, max_by(other, name_order(in_service, other)) AS other_user,
    {{ each("max_by(NAME, name_order(in_service, other))", "other_rate other_usual_rate unlike_devices") }}
FROM working
GROUP BY platform, system, volume
ORDER BY platform, system, volume

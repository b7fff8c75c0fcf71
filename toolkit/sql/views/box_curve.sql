-- view: box_curve
-- layer: derived
-- title: How a box answers to more I/Os at once, as its busier intervals show
-- grain: one row per box
-- column box VARCHAR []: Box, see volume_box
-- column points BIGINT []: Intervals that the curve is read from
-- column in_service_max DOUBLE []: Most I/Os in progress in the box, mean of an interval
-- column in_service_min DOUBLE []: Fewest of those intervals
-- column io_rate_max DOUBLE [per second]: Highest rate of the box in those intervals
-- column io_rate_min DOUBLE [per second]: Lowest
-- column queue_length_max DOUBLE []: Most I/Os waiting in the hosts in those intervals
-- column elasticity_ratio DOUBLE [ratio]: By how much per cent the rate would rise with one per cent more I/Os in the box = 1 - slope of ln(service time) on ln(I/Os in the box)
-- column fit_ratio DOUBLE [ratio 0..1]: Coefficient of determination (R²) of that line
-- column spread_ratio DOUBLE [ratio]: Standard deviation of ln(service time) over that of ln(I/Os in the box)
-- note: Each volume's service time is compared with its own mean, so that other work at other hours is not taken for a slower box. Where service times grow as fast as the number in the box the rate stands still (0); where they stay, it keeps pace (1).
-- note: An interval counts by its length: shorter ones of the same load say the same.
-- note: Read where the number in the box is at least a tenth of the most, from volumes with at least one I/O per second: slower ones scatter too much.
WITH limits AS (
    SELECT 0.1 AS upper_share, 1 AS busy_rate
),
inside AS (
    -- what waits for a device that another system has reserved fills no box
    SELECT interval_start, box, io_rate, in_service - device_busy AS in_service, queue_length FROM box_interval
),
fullest AS (
    SELECT box, max(in_service) AS in_service_max FROM inside GROUP BY box
),
upper_part AS (
    SELECT
        v.box, v.platform, v.system, v.volume, i.interval_start, i.io_rate, i.in_service, i.queue_length,
        f.in_service_max,
        v.interval_s AS weight_s,
        ln(v.service_ms - coalesce(v.device_busy_ms, 0)) AS service_log,
        ln(i.in_service) AS in_service_log
    FROM box_volume_interval v
    JOIN inside i ON i.box = v.box AND i.interval_start = v.box_interval_start
    JOIN fullest f ON f.box = v.box
    CROSS JOIN limits
    WHERE i.in_service >= upper_share * f.in_service_max AND v.io_rate >= busy_rate
        AND v.service_ms > coalesce(v.device_busy_ms, 0)
),
own AS (
    SELECT
        box, platform, system, volume,
        sum(weight_s * service_log) / sum(weight_s) AS service_log,
        sum(weight_s * in_service_log) / sum(weight_s) AS in_service_log
    FROM upper_part
    GROUP BY box, platform, system, volume
),
against_own AS (
    SELECT
        u.box, u.interval_start, u.io_rate, u.in_service, u.queue_length, u.in_service_max, u.weight_s,
        u.service_log - o.service_log AS slower,
        u.in_service_log - o.in_service_log AS fuller
    FROM upper_part u
    JOIN own o ON o.box = u.box AND o.platform = u.platform AND o.system = u.system AND o.volume = u.volume
),
summed AS (
    SELECT
        box,
        count(DISTINCT interval_start) AS points,
        max(in_service_max) AS in_service_max,
        min(in_service) AS in_service_min,
        max(io_rate) AS io_rate_max,
        min(io_rate) AS io_rate_min,
        max(queue_length) AS queue_length_max,
        -- both are apart from the volume's own mean, so that their means are 0
        sum(weight_s * fuller * fuller) AS fuller_fuller,
        sum(weight_s * slower * fuller) AS slower_fuller,
        sum(weight_s * slower * slower) AS slower_slower
    FROM against_own
    GROUP BY box
)
SELECT
    box,
    points,
    in_service_max,
    in_service_min,
    io_rate_max,
    io_rate_min,
    queue_length_max,
    1 - CASE WHEN fuller_fuller > 0 THEN slower_fuller / fuller_fuller END AS elasticity_ratio,
    CASE
        WHEN fuller_fuller > 0 AND slower_slower > 0 THEN slower_fuller * slower_fuller / fuller_fuller / slower_slower
        WHEN fuller_fuller > 0 THEN 1
    END AS fit_ratio,
    CASE WHEN fuller_fuller > 0 THEN sqrt(slower_slower / fuller_fuller) END AS spread_ratio
FROM summed

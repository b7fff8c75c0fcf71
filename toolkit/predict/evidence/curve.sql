-- title: How the rate of each box rose with the I/Os in it
-- grain: one row per box
SELECT
    box, points, elasticity_ratio, fit_ratio, spread_ratio, scatter_ratio, box_scatter_ratio, steepest_ratio, in_service_max,
    in_service_min, io_rate_max, io_rate_min, queue_length_max
FROM box_curve
ORDER BY box

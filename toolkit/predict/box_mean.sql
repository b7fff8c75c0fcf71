-- question: predict_box_mean
-- title: How the mean service time of a box rises as it fills, and how far its intervals are off that
-- grain: one row per box
-- parameter $box VARCHAR []: The box
-- column in_service_max DOUBLE [I/Os]: Most I/Os in progress, mean of an interval
-- column steepest_ratio DOUBLE [ratio]: Slope of ln(service time) on ln(I/Os in progress) at the most, if the former grows as the square of the latter; NULL if unknown
-- column scatter_ratio DOUBLE [ratio]: Standard deviation of ln(service time) of an interval around its line on ln(I/Os in progress); NULL if unknown
-- note: As in box_curve, only intervals with at least a tenth of the most are used.
WITH measured AS (
    SELECT box, ln(service_ms) AS service_log, in_service, max(in_service) OVER () AS in_service_max
    FROM box_interval
    WHERE box = $box AND service_ms > 0 AND in_service > 0
),
upper_part AS (
    SELECT box, service_log, in_service_max, ln(in_service) AS inside_log, power(in_service / in_service_max, 2) AS square
    FROM measured
    WHERE in_service >= 0.1 * in_service_max
),
summed AS (
    SELECT
        box, max(in_service_max) AS in_service_max, count(*) AS points,
        regr_sxx(service_log, square) AS xx, regr_sxy(service_log, square) AS xy,
        regr_sxx(service_log, inside_log) AS inside_xx, regr_sxy(service_log, inside_log) AS inside_xy,
        regr_syy(service_log, inside_log) AS yy
    FROM upper_part
    GROUP BY box
)
SELECT
    box, in_service_max,
    CASE WHEN xx > 0 THEN 2 * xy / xx END AS steepest_ratio,
    CASE
        WHEN inside_xx > 0 AND points > 2 THEN sqrt(at_least_0(yy - inside_xy * inside_xy / inside_xx) / (points - 2))
    END AS scatter_ratio
FROM summed
ORDER BY box

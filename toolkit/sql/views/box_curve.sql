-- title: Service time of a box as a function of the I/Os in it, from its busier intervals
-- grain: one row per box
-- column box VARCHAR []: Box, see volume_box
-- column points BIGINT []: Intervals that the curve is read from
-- column in_service_max DOUBLE []: Most I/Os in progress in the box, mean of an interval
-- column in_service_min DOUBLE []: Fewest of those intervals
-- column io_rate_max DOUBLE [per second]: Highest rate of the box in those intervals
-- column io_rate_min DOUBLE [per second]: Lowest
-- column queue_length_max DOUBLE []: Most I/Os waiting in the hosts in those intervals
-- column elasticity_ratio DOUBLE [ratio]: By how much per cent the rate would rise with one per cent more I/Os in the box; NULL if unknown = 1 - slope of ln(service time) on ln(I/Os in the box)
-- column slower_ratio DOUBLE [ratio 0..1]: I/Os of volumes that by themselves get slower at least half as fast, of all: a full box slows all of them
-- column fit_ratio DOUBLE [ratio 0..1]: Coefficient of determination (R²) of that line
-- column spread_ratio DOUBLE [ratio]: Standard deviation of ln(service time) over that of ln(I/Os in the box)
-- column scatter_ratio DOUBLE [ratio]: Standard deviation of ln(service time) of a volume's intervals around that line: three of four volumes scatter less; NULL if unknown
-- column box_scatter_ratio DOUBLE [ratio]: Standard deviation of ln(mean service time of the box) of an interval around its own line on ln(I/Os in the box); NULL if unknown
-- column steepest_ratio DOUBLE [ratio]: Slope of ln(mean service time of the box) on ln(I/Os in the box) at the most, if the former grows as the square of the latter; NULL if unknown
-- note: Each volume's service time is compared with its own mean, so that other work at other hours is not taken for a slower box. If service times grow as fast as the number in the box, the rate does not rise (0). If they stay, the rate rises in proportion (1).
-- note: elasticity_ratio is NULL if service times grow by more than half as fast as the number in the box, but not for most I/Os. Then single volumes got slower, held by another system or on a slow rank, which raised the number. I/Os that wait for a device reserved by another system are not counted as in the box. Intervals without device busy are left out if others of the box have it. If none has, these I/Os can't be separated, and in_service_max is an upper bound.
-- note: Intervals are left out if unmeasured volumes would have more than a twentieth of the I/Os in the box (missing_ratio of box_interval).
-- note: Intervals are weighted by length.
-- note: Only intervals with at least a tenth of the highest number in the box are used, and volumes with at least one I/O per second; others scatter too much.
WITH inside AS (
    SELECT *
    FROM ({{ inside_boxes() }}) AS i
    -- a box with unmeasured volumes is not emptier
    WHERE coalesce(missing_ratio, 0) <= 0.05
),
busier AS (
    SELECT i.*, f.in_service_max
    FROM inside i
    JOIN (SELECT box, max(in_service) AS in_service_max FROM inside GROUP BY box) f ON f.box = i.box
    WHERE i.in_service >= 0.1 * f.in_service_max
),
recorded AS (
    SELECT DISTINCT platform, system, volume FROM box_volume_interval WHERE device_busy_ms IS NOT NULL
),
served AS (
    -- of one volume all intervals are compared without device busy or all with it
    SELECT
        v.box, v.platform, v.system, v.volume, v.box_interval_start, v.interval_s, v.io_rate,
        CASE WHEN r.volume IS NOT NULL THEN v.service_ms - v.device_busy_ms ELSE v.service_ms END AS service_ms
    FROM box_volume_interval v
    LEFT JOIN recorded r ON r.platform = v.platform AND r.system = v.system AND r.volume = v.volume
),
upper_part AS (
    SELECT
        v.box, v.platform, v.system, v.volume, i.interval_start,
        v.interval_s AS weight_s,
        v.io_rate * v.interval_s AS ios,
        ln(v.service_ms) AS service_log,
        ln(i.in_service) AS in_service_log
    FROM served v
    JOIN busier i ON i.box = v.box AND i.interval_start = v.box_interval_start
    WHERE v.io_rate >= 1 AND v.service_ms > 0
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
        u.box, u.platform, u.system, u.volume, u.weight_s, u.ios,
        u.service_log - o.service_log AS slower,
        u.in_service_log - o.in_service_log AS fuller
    FROM upper_part u
    JOIN own o ON o.box = u.box AND o.platform = u.platform AND o.system = u.system AND o.volume = u.volume
),
by_volume AS (
    SELECT
        box,
        sum(ios) AS ios,
        sum(weight_s) AS weight_s,
        -- both are apart from the volume's own mean, so that their means are 0
        sum(weight_s * fuller * fuller) AS fuller_fuller,
        sum(weight_s * slower * fuller) AS slower_fuller,
        sum(weight_s * slower * slower) AS slower_slower
    FROM against_own
    GROUP BY box, platform, system, volume
),
summed AS (
    SELECT box, {{ each("sum(NAME)", "fuller_fuller slower_fuller slower_slower") }} FROM by_volume GROUP BY box
),
read_from AS (
    SELECT
        i.box,
        count(*) AS points,
        max(i.in_service_max) AS in_service_max,
        min(i.in_service) AS in_service_min,
        max(i.io_rate) AS io_rate_max,
        min(i.io_rate) AS io_rate_min,
        max(i.queue_length) AS queue_length_max
    FROM busier i
    JOIN (SELECT DISTINCT box, interval_start FROM upper_part) u ON u.box = i.box AND u.interval_start = i.interval_start
    GROUP BY i.box
),
scattered AS (
    -- the mean of each volume is one value less, as from quarters of an hour
    SELECT
        v.box,
        CASE
            WHEN v.weight_s > 900
                THEN sqrt(
                    greatest(
                        v.slower_slower - 2 * slope * v.slower_fuller + slope * slope * v.fuller_fuller, 0
                    ) / (v.weight_s - 900)
                )
        END AS scatter_ratio
    FROM by_volume v
    JOIN (SELECT box, coalesce(slower_fuller / nullif(fuller_fuller, 0), 0) AS slope FROM summed) s ON s.box = v.box
),
scatter AS (
    -- some volumes wait for more than their box, and scatter more than all others
    SELECT box, percentile_cont(0.75) WITHIN GROUP (ORDER BY scatter_ratio) AS scatter_ratio
    FROM scattered
    GROUP BY box
),
together AS (
    SELECT
        box, ln(in_service / io_rate) AS service_log, ln(in_service) AS in_service_log,
        power(in_service / in_service_max, 2) AS square
    FROM busier
    WHERE in_service > 0 AND io_rate > 0
),
of_box AS (
    SELECT
        box, count(*) AS points,
        regr_sxx(service_log, square) AS xx, regr_sxy(service_log, square) AS xy,
        regr_sxx(service_log, in_service_log) AS inside_xx, regr_sxy(service_log, in_service_log) AS inside_xy,
        regr_syy(service_log, in_service_log) AS yy
    FROM together
    GROUP BY box
),
slowed AS (
    SELECT
        v.box,
        sum(CASE WHEN 2 * v.slower_fuller * s.fuller_fuller >= s.slower_fuller * v.fuller_fuller THEN v.ios END) / sum(v.ios)
            AS slower_ratio
    FROM by_volume v
    JOIN summed s ON s.box = v.box
    GROUP BY v.box
)
SELECT
    r.*,
    CASE
        WHEN fuller_fuller > 0 AND (l.slower_ratio >= 0.5 OR slower_fuller <= 0.5 * fuller_fuller)
            THEN 1 - slower_fuller / fuller_fuller
    END AS elasticity_ratio,
    l.slower_ratio,
    CASE
        WHEN fuller_fuller > 0 AND slower_slower > 0 THEN slower_fuller * slower_fuller / fuller_fuller / slower_slower
        WHEN fuller_fuller > 0 THEN 1
    END AS fit_ratio,
    CASE WHEN fuller_fuller > 0 THEN sqrt(slower_slower / fuller_fuller) END AS spread_ratio,
    t.scatter_ratio,
    CASE
        WHEN b.inside_xx > 0 AND b.points > 2
            THEN sqrt(at_least_0(b.yy - b.inside_xy * b.inside_xy / b.inside_xx) / (b.points - 2))
    END AS box_scatter_ratio,
    CASE WHEN b.xx > 0 THEN 2 * b.xy / b.xx END AS steepest_ratio
FROM summed s
JOIN read_from r ON r.box = s.box
LEFT JOIN of_box b ON b.box = s.box
JOIN slowed l ON l.box = s.box
JOIN scatter t ON t.box = s.box

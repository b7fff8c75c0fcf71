-- question: box_saturated
-- title: Boxes near their highest rate with I/Os queued in the hosts, and the volumes that wait then
-- grain: one row per box, volume, system
-- parameter $near DOUBLE [ratio]: Of its largest rate: the box counts as full
-- parameter $queue_length DOUBLE [I/Os]: Waiting in the host for the box, all volumes together
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column volume VARCHAR []: Volume as in volume_interval
-- column system VARCHAR []: System that gathered
-- column lost_s DOUBLE [s]: Time in the host's queue while the box is full, summed over the volume's I/Os
-- column service_ms DOUBLE [milliseconds]: Pend, disconnect and connect together
-- column wait_sum DOUBLE [milliseconds per second]: IOSQ times rate, intervals added up
-- column rate_sum DOUBLE [per second]: Rates of the intervals, added up
-- column queue_else DOUBLE [I/Os]: Longest queue of the volume in all other intervals
-- column span_s DOUBLE [s]: Length of all intervals
-- column points BIGINT []: Intervals that the curve is read from
-- column elasticity_ratio DOUBLE [ratio]: By how much per cent the rate would rise with one per cent more I/Os in the box
-- column fit_ratio DOUBLE [ratio 0..1]: Coefficient of determination (R²) of that line
-- column spread_ratio DOUBLE [ratio]: Standard deviation of ln(service time) over that of ln(I/Os in the box)
-- column in_service_max DOUBLE []: Most I/Os in progress in the box, mean of an interval
-- column in_service_min DOUBLE []: Fewest of those intervals
-- column io_rate_max DOUBLE [per second]: Highest rate of the box in those intervals
-- column io_rate_min DOUBLE [per second]: Lowest
-- column queue_length_max DOUBLE []: Most I/Os waiting in the hosts in those intervals
-- column window_start TIMESTAMP [local time]: Start of the run of bad intervals that lost most
-- column window_end TIMESTAMP [local time]: End of that run
-- column bad_intervals BIGINT []: Bad intervals, all runs
-- column runs BIGINT []: Runs of bad intervals
WITH crowded AS (
    SELECT v.*
    FROM box_volume_interval v
    JOIN box_interval i ON i.box = v.box AND i.interval_start = v.box_interval_start
    JOIN box_curve c ON c.box = v.box
    WHERE i.io_rate >= $near * c.io_rate_max AND i.queue_length >= $queue_length
),
bad AS (
    SELECT box, local_start, max(local_end) AS local_end, sum(queue_length * interval_s) AS lost
    FROM crowded
    GROUP BY box, local_start
),
worst AS (/* worst run of bad by box */),
span AS (
    SELECT
        v.box, v.volume, v.system,
        sum(v.interval_s) AS span_s,
        max(CASE WHEN c.volume IS NULL THEN v.queue_length END) AS queue_else
    FROM box_volume_interval v
    LEFT JOIN crowded c
        ON c.box = v.box AND c.volume = v.volume AND c.system = v.system AND c.interval_start = v.interval_start
    GROUP BY v.box, v.volume, v.system
),
waiting AS (
    SELECT
        box, volume, system,
        max(serial) AS serial,
        max(control_unit_type) AS control_unit_type,
        sum(queue_length * interval_s) AS lost_s,
        sum(io_rate * service_ms) / sum(io_rate) AS service_ms,
        sum(queue_length) * 1000 AS wait_sum,
        sum(io_rate) AS rate_sum
    FROM crowded
    GROUP BY box, volume, system
)
SELECT
    w.box, w.serial, w.control_unit_type, w.volume, w.system, w.lost_s, w.service_ms, w.wait_sum, w.rate_sum,
    s.queue_else, s.span_s, c.points, c.elasticity_ratio, c.fit_ratio, c.spread_ratio, c.in_service_max,
    c.in_service_min, c.io_rate_max, c.io_rate_min, c.queue_length_max,
    r.window_start, r.window_end, r.bad_intervals, r.runs
FROM waiting w
JOIN span s ON s.box = w.box AND s.volume = w.volume AND s.system = w.system
JOIN box_curve c ON c.box = w.box
JOIN worst r ON r.box = w.box
ORDER BY w.box, w.lost_s DESC, w.volume, w.system

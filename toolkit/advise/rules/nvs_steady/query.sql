-- question: nvs_steady
-- title: Intervals in which a box delayed writes for lack of NVS, and the volumes that wait in the host then
-- grain: one row per box, local_start
-- parameter $delayed_ratio DOUBLE [ratio]: Of the writes of an interval, whole box
-- column box VARCHAR []: Name of the box: its serial number without leading zeros, the subsystem id where no record tells it
-- column serial VARCHAR []: Serial number of the box as recorded; NULL where no record tells it
-- column control_unit_type VARCHAR []: Machine type and model of the box; NULL where no record tells it
-- column local_start TIMESTAMP [local time]: Start of the interval by the system's clock; as interval_start where its offset is unknown
-- column local_end TIMESTAMP [local time]: End of the interval by the same clock
-- column interval_s DOUBLE [s]: Seconds the statistics cover
-- column nvs_delay_count DOUBLE [events in the interval]: DASD fast writes delayed for lack of NVS space (older controllers: bypasses)
-- column write_count DOUBLE [events in the interval]: Write requests
-- column destage_rate DOUBLE [per second]: Tracks destaged from cache to disk
-- column destage_rate_max DOUBLE [per second]: Highest of all intervals of the box
-- column nvs_bytes DOUBLE [bytes]: Configured NVS
-- column lost_s DOUBLE [s]: I/O time that the lack of NVS cost in this interval
-- column lost_low_s DOUBLE [s]: Low bound
-- column lost_high_s DOUBLE [s]: High bound
-- column is_steady_then BOOLEAN []: The interval and one that adjoins it had delayed writes at the destage ceiling
-- column waiting VARCHAR []: Volumes that wait in the host mostly then, separated by |
-- column waiting_on VARCHAR []: The system that sees each of them, separated by |
WITH overloaded AS (
    SELECT *, coalesce(steady_ratio >= $delayed_ratio, FALSE) AS is_steady_then
    FROM box_nvs_interval
    WHERE nvs_delay_ratio >= $delayed_ratio
),
-- devices may be measured some seconds beside the cache: an interval belongs to the one around its middle
delayed AS (
    SELECT box, unix_micros(interval_start) AS start_us, unix_micros(interval_start) + interval_s * 1000000 AS end_us
    FROM box_nvs_interval
    WHERE nvs_delay_count > 0
),
queue AS (
    SELECT
        b.box, v.volume, v.system,
        sum(CASE WHEN i.box IS NOT NULL THEN v.queue_length END) AS queued_then,
        max(CASE WHEN i.box IS NULL THEN v.queue_length END) AS queue_else
    FROM volume_interval v
    JOIN volume_box b ON b.platform = v.platform AND b.system = v.system AND b.volume = v.volume
    LEFT JOIN delayed i
        ON i.box = b.box
        AND unix_micros(v.interval_start) + v.interval_s * 500000 >= i.start_us
        AND unix_micros(v.interval_start) + v.interval_s * 500000 < i.end_us
    GROUP BY b.box, v.volume, v.system
),
waiting AS (
    SELECT
        box,
        string_agg(volume, '|' ORDER BY volume, system) AS waiting,
        string_agg(system, '|' ORDER BY volume, system) AS waiting_on
    FROM queue
    -- a queue at other times, of the length that pav_add_alias looks for, has another cause
    WHERE queued_then > 0 AND coalesce(queue_else, 0) < 0.5
    GROUP BY box
)
SELECT
    o.box, o.serial, o.control_unit_type, o.local_start, o.local_end, o.interval_s, o.nvs_delay_count, o.write_count,
    o.destage_rate, o.destage_rate_max, o.nvs_bytes, o.lost_s, o.lost_low_s, o.lost_high_s, o.is_steady_then,
    w.waiting, w.waiting_on
FROM overloaded o
LEFT JOIN waiting w ON w.box = o.box
ORDER BY o.box, o.local_start

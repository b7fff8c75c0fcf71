{#
Intervals in which I/Os wait for the device, and what other systems do with the same volume then. Among common table expressions: bad,
disk (which a system means by a name) and other_use. The question has the parameters $io_rate, $busy_ms and $busy_share.
#}
{% macro other_use() -%}
bad AS (
    SELECT
        v.platform, v.system, v.volume, v.lcu, v.device, v.interval_start, v.local_start, v.local_end, v.io_rate, v.interval_s,
        u.held_ms AS device_busy_ms,
        v.response_ms, v.wait_ms, v.queue_length, v.reserved_ratio, u.usual_pend_ms, u.is_overfull,
        v.io_rate * u.held_ms * v.interval_s / 1000 AS lost
    FROM volume_interval v
    JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "v") }}
    WHERE {{ has_enough_io("v.io_rate", "$io_rate", "u.held_ms") }} AND v.response_ms > 0 AND u.held_ms >= $busy_ms AND u.held_ms >= $busy_share * v.service_ms
),
-- the disk that a system means by a volume's name, and whether it is unknown which of several it is
disk AS (
    SELECT
        platform, system, volume, max(disk) AS disk, max(serial) AS serial,
        max(duplicates) IS NOT NULL AND max(subsystem) IS NULL AS is_ambiguous
    FROM volume_box
    GROUP BY platform, system, volume
),
other_use AS (
    SELECT
        b.platform, b.system, b.volume, o.system AS other, o.volser, o.reserved_ratio, o.io_rate, o.in_service, y.serial,
        CASE WHEN o.device <> b.device AND x.serial IS NULL THEN right(b.device, 4) || ' of ' || b.system || ' and ' || right(o.device, 4) || ' of ' || o.system END AS unlike_devices,
        unix_micros(o.interval_start) AS from_us, unix_micros(o.interval_start) + 1e6 * o.interval_s AS until_us,
        o.reserved_ratio >= 0.01 AS has_reserved,
        x.disk = y.disk AS is_same,
        x.disk = y.disk AND x.serial = y.serial AND o.lcu = b.lcu AND o.device = b.device AS is_proven,
        x.is_ambiguous OR y.is_ambiguous AS is_ambiguous
    FROM volume_interval o
    -- systems begin their intervals at different times: the middle of one lies in the other; I/Os of a guest are its host's, too,
    -- and wait there as long
    JOIN bad b ON b.volume = o.volume AND b.system <> o.system
        AND (b.platform = o.platform OR o.io_rate NOT BETWEEN 0.8 * b.io_rate AND 1.25 * b.io_rate OR 2 * o.pend_ms < b.device_busy_ms)
        AND unix_micros(o.interval_start) <= unix_micros(b.interval_start) + 5e5 * b.interval_s
        AND unix_micros(o.interval_start) + 1e6 * o.interval_s > unix_micros(b.interval_start) + 5e5 * b.interval_s
    JOIN disk x ON x.platform = b.platform AND x.system = b.system AND x.volume = b.volume
    JOIN disk y ON y.platform = o.platform AND y.system = o.system AND y.volume = o.volume
)
{%- endmacro %}

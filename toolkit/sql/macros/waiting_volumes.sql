{#
Among common table expressions: candidate, volumes of pav_candidate that got or need aliases of their own; measured, their
intervals that are judged: those of closed work (is_closed) only where there are no others, with the exposures that they got for
good and in the box that they are in now, if they wait there; bad, those in which they wait; shown, of these the peak
(is_peak) and the worst of each hour of the day (is_hour).
The question has the parameters of is_closed, and $wait_share.
#}
{% macro waiting_volumes() -%}
candidate AS (
    SELECT *
    FROM pav_candidate
    -- those that got enough since are reported once more, as what was done helped
    WHERE (verdict = 'add' OR (verdict = 'enough' AND queue_length_peak >= $queue_length)) AND is_hyperpav IS NOT TRUE
),
worked AS ({{ closed_work() }}),
left_box AS ({{ boxes_left_by("candidate") }}),
waits_there AS (
    SELECT v.platform, v.system, v.volume, min(v.interval_start) AS since_start, bool_or({{ waits("v") }}) AS waits
    FROM box_volume_interval v
    JOIN left_box o ON o.platform = v.platform AND o.system = v.system AND o.volume = v.volume
    WHERE v.serial IS NOT NULL AND v.interval_start > o.other_start
    GROUP BY v.platform, v.system, v.volume
),
waits_since AS (
    -- with the exposures it got for good, or in the box it is in now: the intervals before say nothing of them
    SELECT platform, system, volume, since_start FROM waits_there WHERE waits
    UNION ALL
    SELECT v.platform, v.system, v.volume, x.interval_start
    FROM box_volume_interval v
    JOIN exposure_change x ON x.platform = v.platform AND x.system = v.system AND x.volume = v.volume
        AND x.interval_start <= v.interval_start
    WHERE x.is_new AND {{ waits("v") }}
),
waits_still AS (
    SELECT platform, system, volume, max(since_start) AS since_start FROM waits_since GROUP BY platform, system, volume
),
seen AS (
    SELECT
        v.platform, v.system, v.volume, v.box, v.interval_start, v.interval_s, v.local_start, v.local_end, v.io_rate, v.wait_ms,
        v.service_ms, v.queue_length, v.exposures, coalesce(k.is_closed OR k.is_rest, FALSE) AS of_requesters,
        NOT v.is_held AND NOT v.is_overfull AS is_fit,
        {{ waits("v") }} AS is_bad,
        v.read_ratio AS own_read_ratio, i.in_service AS in_box, i.volumes, i.read_ratio,
        v.interval_start = c.peak_start AS is_peak
    FROM box_volume_interval v
    JOIN candidate c ON c.platform = v.platform AND c.system = v.system AND c.volume = v.volume
    LEFT JOIN worked k ON {{ equal("platform, system, volume, interval_start", "k", "v") }}
    JOIN box_interval i ON i.box = v.box AND i.interval_start = v.box_interval_start
    LEFT JOIN waits_still y ON y.platform = v.platform AND y.system = v.system AND y.volume = v.volume
    WHERE y.volume IS NULL OR v.interval_start >= y.since_start
),
judged AS (
    SELECT *, NOT bool_or(is_bad AND NOT of_requesters) OVER (PARTITION BY platform, system, volume) AS is_closed
    FROM seen
),
measured AS (
    SELECT * FROM judged WHERE is_closed OR NOT of_requesters
),
bad AS (
    SELECT *, queue_length * interval_s AS lost
    FROM measured
    WHERE is_bad
),
ranked AS (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY platform, system, volume, hour(local_start) ORDER BY queue_length DESC, local_start
        ) AS place
    FROM bad
),
shown AS (
    SELECT platform, system, volume, box, interval_start, local_start, local_end, io_rate, wait_ms, service_ms, queue_length, in_box,
           volumes, read_ratio, own_read_ratio, exposures, is_closed, is_peak, coalesce(place = 1, FALSE) AS is_hour
    FROM ranked
    WHERE place = 1 OR is_peak
)
{%- endmacro %}

-- title: Work of data sets, jobs and guests on volumes in a window and at other times, with all of the volumes
-- grain: one row per source, system, volume, job, name; a volume none of whose users counts has a row without one
-- parameter $start_us DOUBLE [microseconds]: Start, local time
-- parameter $end_us DOUBLE [microseconds]: End
-- parameter $first_us DOUBLE [microseconds]: Start of the first time of the same trouble
-- parameter $last_us DOUBLE [microseconds]: End of the last one
-- parameter $is_daily BOOLEAN []: It comes back: the same hours of other days are no other time
-- parameter $volumes VARCHAR []: Their names, each between two |
-- parameter $work VARCHAR []: What is counted: waited, connect, disconnect (s), writes or I/Os; of jobs (30) it is connect, of guests I/Os
-- parameter $least DOUBLE [ratio]: Of the volume's work, for a data set or job to be listed
-- column is_recorded BOOLEAN []: The source has records of its system; where it has none, all of the volume's work counts
-- column volume_work DOUBLE []: Of the volume, while users were recorded; at least that of all its users
-- column volume_amount DOUBLE []: What the system did per s on the volume; see amount
-- column usual_volume_amount DOUBLE []: The same usually; see usual_amount
-- column job VARCHAR []: Job or guest
-- column name VARCHAR []: Data set (smf42), or DD (smf30)
-- column work DOUBLE []: Its part
-- column amount DOUBLE []: What it did per s: writes, connect time, or I/Os, whose times the trouble itself makes longer
-- column usual_amount DOUBLE []: The same at these hours of days before and after the trouble; at other times where there are none
-- note: EXCPs of type 30 have device and DD, but no data set. FCX110 times no I/O of a minidisk.
{% macro usual(at_us) -%}
{{ is_other_time(at_us) }} AS is_other,
        NOT {{ is_other_time(at_us, "TRUE") }} AND {{ at_us }} NOT BETWEEN $first_us AND $last_us AS is_same_hour
{%- endmacro %}
WITH measured AS (
    SELECT
        v.platform, v.system, v.volume, v.volser, v.local_start, v.interval_s,
        {{ usual("unix_micros(v.local_start) + 5e5 * v.interval_s") }},
        abs(2 * unix_micros(v.local_start) + 1e6 * v.interval_s - $start_us - $end_us) <= $end_us - $start_us AS is_inside,
        v.io_rate * v.interval_s AS ios, v.io_rate * v.conn_ms / 1000 * v.interval_s AS conn_s,
        CASE
            WHEN $work = 'writes' THEN v.io_rate * (1 - coalesce(v.read_ratio, 0)) * v.interval_s
            WHEN $work = 'connect' THEN v.io_rate * v.conn_ms / 1000 * v.interval_s
            WHEN $work = 'disconnect' THEN v.io_rate * v.disc_ms / 1000 * v.interval_s
            WHEN $work = 'I/Os' THEN v.io_rate * v.interval_s
            ELSE v.queue_length * v.interval_s
        END AS work
    FROM volume_interval v
    WHERE v.io_rate >= 0 AND v.interval_s > 0 AND instr($volumes, '|' || v.volume || '|') > 0
),
recorded AS (
    SELECT
        'smf42' AS source, 'z/OS' AS platform, system, volser, job, data_set AS name, local_start,
        greatest(coalesce(interval_s, 0), 1) AS span_s,
        CASE
            WHEN $work = 'writes' THEN io_count * (1 - read_ratio)
            WHEN $work = 'connect' THEN io_count * conn_ms / 1000
            WHEN $work = 'disconnect' THEN io_count * disc_ms / 1000
            WHEN $work = 'I/Os' THEN io_count
            ELSE io_count * wait_ms / 1000
        END AS work,
        CASE WHEN $work NOT IN ('writes', 'connect') THEN io_count END AS ios
    FROM dataset_interval
    WHERE io_count > 0
    UNION ALL
    SELECT 'smf30', 'z/OS', system, volser, job, dd, local_start, interval_s, connect_ratio * interval_s, NULL
    FROM job_volume_interval
    WHERE job IS NOT NULL AND interval_s > 0
    UNION ALL
    SELECT 'fcx110', 'z/VM', system, volser, nullif(userid, 'SYSTEM'), NULL, local_start, interval_s, io_rate * interval_s, NULL
    FROM minidisk_interval
    WHERE io_rate > 0 AND interval_s > 0
),
used AS (
    SELECT
        *, coalesce(ios, work) AS amount, {{ usual("unix_micros(local_start) + 5e5 * span_s") }},
        least(unix_micros(local_start) + 1e6 * span_s, $end_us) - greatest(unix_micros(local_start), $start_us) AS inside_us
    FROM recorded
),
source AS (
    SELECT 'smf42' AS source, 'z/OS' AS platform UNION ALL SELECT 'smf30', 'z/OS' UNION ALL SELECT 'fcx110', 'z/VM'
),
span AS (
    SELECT
        source, system, min(local_start) AS since,
        max(unix_micros(local_start) + 1e6 * span_s) AS until_us
    FROM recorded
    GROUP BY source, system
),
whole AS (
    SELECT
        s.source, v.system, v.volume, v.volser, r.system IS NOT NULL AS is_recorded,
        sum(
            CASE WHEN NOT v.is_inside THEN 0 WHEN s.source = 'fcx110' THEN v.ios WHEN s.source = 'smf30' THEN v.conn_s
            ELSE v.work END
        ) AS work_inside,
        {{ each("sum(CASE WHEN v.is_NAME THEN v.interval_s END)", "inside same_hour other", "NAME_s") }},
        {{ each("sum(CASE WHEN v.is_NAME THEN CASE WHEN $work IN ('writes', 'connect') THEN v.work ELSE v.ios END END)", "inside same_hour other", "NAME_amount") }}
    FROM measured v
    JOIN source s ON s.platform = v.platform
    LEFT JOIN span r ON r.source = s.source AND r.system = v.system
    WHERE r.system IS NULL
        OR (unix_micros(v.local_start) + 1e6 * v.interval_s > unix_micros(r.since) AND unix_micros(v.local_start) < r.until_us)
    GROUP BY s.source, v.system, v.volume, v.volser, r.system IS NOT NULL
),
part AS (
    SELECT
        source, system, volser, job, name,
        sum(CASE WHEN inside_us > 0 THEN work * inside_us / (1e6 * span_s) ELSE 0 END) AS work,
        sum(CASE WHEN inside_us > 0 THEN amount * inside_us / (1e6 * span_s) END) AS amount,
        sum(CASE WHEN is_same_hour THEN amount ELSE 0 END) AS same_hour,
        sum(CASE WHEN is_other THEN amount ELSE 0 END) AS other
    FROM used
    GROUP BY source, system, volser, job, name
),
listed AS (
    SELECT
        *, greatest(
            sum(CASE WHEN job IS NOT NULL THEN work END) OVER (PARTITION BY source, system, volser, job),
            sum(CASE WHEN name IS NOT NULL THEN work END) OVER (PARTITION BY source, system, volser, name)
        ) AS work_of_user
    FROM part
),
of_all AS (
    SELECT source, system, volser, sum(work) AS work FROM part GROUP BY source, system, volser
)
SELECT
    w.source, w.system, w.volume, w.is_recorded,
    greatest(w.work_inside, coalesce(a.work, 0)) AS volume_work,
    w.inside_amount / w.inside_s AS volume_amount,
    coalesce(w.same_hour_amount / w.same_hour_s, w.other_amount / w.other_s) AS usual_volume_amount,
    p.job, p.name, p.work,
    p.amount / w.inside_s AS amount, coalesce(p.same_hour / w.same_hour_s, p.other / w.other_s) AS usual_amount
FROM whole w
LEFT JOIN of_all a ON {{ equal("source, system, volser", "a", "w") }}
LEFT JOIN listed p ON {{ equal("source, system, volser", "p", "w") }} AND p.work > 0
    AND p.work_of_user >= $least * greatest(w.work_inside, a.work)
ORDER BY w.source, w.system, w.volume, p.work DESC, p.name, p.job

{#
Which run of bad intervals lost most, one row per key, within `worst AS (...)`. RELATION has one row per key and bad
interval, with local_start and local_end and lost (how much). The answer has the keys, lost (of all bad intervals), window_start, window_end,
bad_intervals (of all runs), runs, first_start (of the first run), last_end (of the last run), bad_days (days with a bad
interval), every_h (hours from run to run where most runs come at that distance, several times an hour, a day, or every day at one time,
or all of them every week; else NULL; four runs at least, a few may be missing or early; within the hour seven, and none; of days three, of
weeks two are enough, if there is no other run; within the hour two thirds of the time are good), lost of the worst run (worst_lost) and longest_s, the most bad seconds of a run. With DEEP, what an interval lost
as far as it counts by its depth, deep_s is added: the most of it in a run, NULL where there is none. One good interval does
not end a run. More of the same data can only make worst_lost, longest_s and deep_s larger: a finding that asks for a least
of them is never averaged away.
#}
{% macro worst_run(relation, keys, deep="") -%}
WITH marked AS (
    SELECT
        {{ keys }}, local_start, local_end, lost,{{ " " ~ deep ~ " AS deep_lost," if deep }}
        CASE
            WHEN 2 * unix_micros(local_start) - unix_micros(local_end)
                <= unix_micros(lag(local_end) OVER (PARTITION BY {{ keys }} ORDER BY local_start)) THEN 0
            ELSE 1
        END AS begins,
        dense_rank() OVER (PARTITION BY {{ keys }} ORDER BY CAST(local_start AS DATE)) AS day
    FROM {{ relation }}
),
numbered AS (
    SELECT
        {{ keys }}, local_start, local_end, lost, {{ "deep_lost, " if deep }}day,
        sum(begins) OVER (PARTITION BY {{ keys }} ORDER BY local_start) AS run
    FROM marked
),
run AS (
    SELECT
        {{ keys }}, run,
        min(local_start) AS window_start,
        max(local_end) AS window_end,
        sum(lost) AS lost,{{ " sum(deep_lost) AS deep_lost," if deep }}
        count(*) AS intervals,
        max(day) AS days,
        sum(unix_micros(local_end) - unix_micros(local_start)) / 1e6 AS bad_s
    FROM numbered
    GROUP BY {{ keys }}, run
),
apart AS (
    SELECT
        *,
        (unix_micros(window_start) - unix_micros(lag(window_start) OVER (PARTITION BY {{ keys }} ORDER BY window_start))) / 3.6e9
            AS apart_h
    FROM run
),
stepped AS (
    -- what is hardly an hour, or hardly more, is no step
    SELECT
        *, CASE WHEN apart_h < 0.9 THEN round(60 * apart_h) / 60 WHEN apart_h NOT BETWEEN 1.1 AND 1.5 THEN round(apart_h) ELSE 0 * apart_h END AS step_h
    FROM apart
),
spaced AS (
    SELECT
        *,
        count(*) OVER (PARTITION BY {{ keys }}, step_h) AS times,
        count(*) OVER of_key AS runs,
        avg(bad_s) OVER of_key / 3600 AS bad_h
    FROM stepped
    WINDOW of_key AS (PARTITION BY {{ keys }})
),
placed AS (
    SELECT
        {{ keys }}, window_start, window_end, lost,{{ " max(deep_lost) OVER whole AS deep_s," if deep }}
        CAST(sum(lost) OVER whole AS DOUBLE) AS all_lost,
        max(bad_s) OVER whole AS longest_s,
        CAST(sum(intervals) OVER whole AS BIGINT) AS bad_intervals,
        CAST(max(days) OVER whole AS BIGINT) AS bad_days,
        runs,
        max(CASE
            WHEN times >= 3 AND 4 * times > 3 * (runs - 1) AND (step_h BETWEEN 1 AND 12 OR step_h = 24)
                OR times = runs - 1 AND (step_h = 168 OR step_h = 24 AND times = 2 OR step_h < 1 AND times >= 6 AND step_h > 3 * bad_h) THEN step_h
        END) OVER whole AS every_h,
        min(window_start) OVER whole AS first_start,
        max(window_end) OVER whole AS last_end,
        row_number() OVER (PARTITION BY {{ keys }} ORDER BY lost DESC, window_start) AS place
    FROM spaced
    WINDOW whole AS (PARTITION BY {{ keys }})
)
SELECT
    {{ keys }}, window_start, window_end, bad_intervals, runs, first_start, last_end, bad_days, every_h,
    all_lost AS lost, lost AS worst_lost, longest_s{{ ", deep_s" if deep }}
FROM placed
WHERE place = 1
{%- endmacro %}

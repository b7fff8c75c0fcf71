-- Which run of bad intervals lost most, one row per key. Not a question of its own: a question's SQL names it as
-- `/* worst run of RELATION by KEY, KEY */` within `worst AS (...)`, and the text below stands there instead.
-- RELATION has one row per key and bad interval, with start_us and end_us (local time, microseconds) and lost (how
-- much). The answer has the keys, window_start_us, window_end_us, bad_intervals (of all runs) and runs. One good
-- interval does not end a run.
WITH marked AS (
    SELECT
        {keys}, start_us, end_us, lost,
        CASE
            WHEN 2 * start_us - end_us <= lag(end_us) OVER (PARTITION BY {keys} ORDER BY start_us) THEN 0
            ELSE 1
        END AS begins
    FROM {relation}
),
numbered AS (
    SELECT {keys}, start_us, end_us, lost, sum(begins) OVER (PARTITION BY {keys} ORDER BY start_us) AS run
    FROM marked
),
run AS (
    SELECT
        {keys}, run,
        min(start_us) AS window_start_us,
        max(end_us) AS window_end_us,
        sum(lost) AS lost,
        count(*) AS intervals
    FROM numbered
    GROUP BY {keys}, run
),
placed AS (
    SELECT
        {keys}, window_start_us, window_end_us,
        CAST(sum(intervals) OVER (PARTITION BY {keys}) AS BIGINT) AS bad_intervals,
        count(*) OVER (PARTITION BY {keys}) AS runs,
        row_number() OVER (PARTITION BY {keys} ORDER BY lost DESC, window_start_us) AS place
    FROM run
)
SELECT {keys}, window_start_us, window_end_us, bad_intervals, runs FROM placed WHERE place = 1

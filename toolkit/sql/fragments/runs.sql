-- fragment: runs of bad within {relation}
-- How the bad intervals of LCUs and of single volumes follow each other. Among common table expressions: gives ran, with
-- the columns of a worst run, deep_s (most that a run of deep intervals lost; NULL where there is none) and span_s (length of
-- all intervals in RELATION), one row per platform, system, lcu and volume of bad, which has above_ms and response_ms besides
-- what a worst run wants.
worst AS (/* worst run of bad by platform, system, lcu, volume */),
deep AS (
    SELECT * FROM bad WHERE above_ms >= $deep_share * response_ms
),
deepest AS (/* worst run of deep by platform, system, lcu, volume */),
span AS (
    SELECT platform, system, lcu, volume, sum(interval_s) AS span_s FROM {relation} GROUP BY platform, system, lcu, volume
),
ran AS (
    SELECT w.*, d.worst_lost AS deep_s, s.span_s
    FROM worst w
    JOIN span s ON s.platform = w.platform AND s.system = w.system AND s.lcu = w.lcu AND s.volume = w.volume
    LEFT JOIN deepest d ON d.platform = w.platform AND d.system = w.system AND d.lcu = w.lcu AND d.volume = w.volume
)

-- title: IPL and time zone of each z/VM system over time, from its D1R4 records
-- grain: one row per system, since, zone_s
-- column system VARCHAR []: System id = MTRSYS_SYSTMID
-- column since TIMESTAMP [UTC]: From when: the time of a D1R4 that says something new, or the IPL it names
-- column until TIMESTAMP [UTC]: Until before when; the end of the year 9999 for the last
-- column ipl TIMESTAMP [UTC]: Time of the last IPL = MTRSYS_SYSTODST; NULL where no D1R4 so far names one
-- column zone_s INTEGER [s]: Local time minus UTC = MTRSYS_SYSZONE; NULL from an IPL to the first D1R4 after it
WITH stated AS (
    SELECT DISTINCT system, MRHDRTOD AS since, MTRSYS_SYSTODST AS ipl, utc_offset_s AS zone_s
    FROM mon_d1r4
    WHERE system IS NOT NULL
),
point AS (
    SELECT system, since, zone_s, max(ipl) OVER (PARTITION BY system ORDER BY since) AS ipl
    FROM (
        SELECT system, since, ipl, zone_s FROM stated
        UNION
        SELECT system, ipl, ipl, NULL FROM stated WHERE ipl < since
    ) AS named
),
compared AS (
    SELECT
        p.*,
        row_number() OVER w AS place,
        lag(ipl) OVER w AS ipl_before,
        lag(zone_s) OVER w AS zone_before_s
    FROM point p
    WINDOW w AS (PARTITION BY system ORDER BY since, zone_s)
)
SELECT
    *,
    lead(since, 1, {{ end_of_time() }}) OVER (PARTITION BY system ORDER BY place) AS until
FROM compared
WHERE place = 1 OR ipl IS DISTINCT FROM ipl_before OR zone_s IS DISTINCT FROM zone_before_s

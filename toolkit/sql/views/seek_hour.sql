-- title: Seek distance on a disk by z/VM user and minidisk, hour by hour
-- grain: one row per system, interval_start, device, user_id, minidisk, owner
-- column platform VARCHAR []: Operating system that measured = constant z/VM
-- column system VARCHAR []: System id = MTRSYS_SYSTMID
-- column interval_start TIMESTAMP [UTC]: Start of the hour
-- column interval_s DOUBLE [s]: Length of the hour = constant 3600
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits = 0 and SEKSEK_RDEVDEV (medium)
-- column user_id VARCHAR []: User that issued the I/O = SEKSEK_VMDUSER (medium)
-- column minidisk VARCHAR []: Virtual device number = SEKSEK_VDEVDEV (medium)
-- column owner VARCHAR []: Owner of the minidisk = SEKSEK_CALUSER (low)
-- column seeks BIGINT []: Seeks recorded = number of D7R1 records (medium)
-- column mean_distance DOUBLE [cylinders]: Mean distance = mean of the difference of SEKSEK_CALSKCYL and SEKSEK_CALCURCY (medium)
-- column utc_offset_s INTEGER [s]: Local time minus UTC at the hour's first seek = MTRSYS_SYSZONE (medium)
-- column source VARCHAR []: Record type the row came from = constant mon.d7r1
-- note: CP records seeks only for devices named by MONITOR EVENT ENABLE SEEKS. A record in two files counts once.
WITH seek AS (
    SELECT DISTINCT
        r.owner AS system, r.MRHDRTOD, r.SEKSEK_RDEVDEV, r.SEKSEK_VMDUSER, r.SEKSEK_VDEVDEV, r.SEKSEK_CALUSER,
        r.SEKSEK_CALCURCY, r.SEKSEK_CALSKCYL, r.SEKSEK_CALSKHD, c.zone_s
    FROM (
        {{ monitor_records("mon_d7r1") }}
    ) r
    LEFT JOIN monitor_system c ON c.system = r.owner AND r.MRHDRTOD >= c.since AND r.MRHDRTOD < c.until
)
SELECT
    'z/VM' AS platform,
    system,
    CAST(date_trunc('hour', MRHDRTOD) AS TIMESTAMP) AS interval_start,
    CAST(3600 AS DOUBLE) AS interval_s,
    '0' || SEKSEK_RDEVDEV AS device,
    nullif(SEKSEK_VMDUSER, '') AS user_id,
    SEKSEK_VDEVDEV AS minidisk,
    nullif(SEKSEK_CALUSER, '') AS owner,
    count(*) AS seeks,
    avg(abs(CAST(SEKSEK_CALSKCYL AS DOUBLE) - SEKSEK_CALCURCY)) AS mean_distance,
    min_by(zone_s, MRHDRTOD) AS utc_offset_s,
    'mon.d7r1' AS source
FROM seek
GROUP BY system, date_trunc('hour', MRHDRTOD), SEKSEK_RDEVDEV, SEKSEK_VMDUSER, SEKSEK_VDEVDEV, SEKSEK_CALUSER

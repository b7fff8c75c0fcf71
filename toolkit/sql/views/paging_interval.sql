-- title: Paging and spooling of z/VM's CP-owned volumes, interval by interval
-- grain: one row per system, interval_start, device
-- column platform VARCHAR []: Operating system that measured = constant z/VM
-- column system VARCHAR []: System id = MTRSYS_SYSTMID
-- column interval_start TIMESTAMP [UTC]: Time of the device's sample before
-- column interval_s DOUBLE [s]: Time since the device's sample before
-- column device VARCHAR []: Subchannel set and device number, 5 hex digits = 0 and STOASS_RDEVDEV (medium)
-- column volser VARCHAR []: Volume serial = STOASS_CPVOLSER (medium)
-- column page_read_rate DOUBLE [per second]: Pages read = d STOASS_EXPCTPRD / s (low)
-- column page_write_rate DOUBLE [per second]: Pages written = d STOASS_EXPCTPWR / s (low)
-- column spool_read_rate DOUBLE [per second]: Spool pages read = d STOASS_EXPCTSRD / s (low)
-- column spool_write_rate DOUBLE [per second]: Spool pages written = d STOASS_EXPCTSWR / s (low)
-- column interference_rate DOUBLE [per second]: I/Os of users that interrupt CP's paging = d STOASS_EXPCTUSI / s (low)
-- column start_rate DOUBLE [per second]: Channel programs started = d STOASS_SCGSSCH / s; NULL where the count stays 0 (low)
-- column utc_offset_s INTEGER [s]: Local time minus UTC when the interval began = MTRSYS_SYSZONE (medium)
-- column source VARCHAR []: Record type the row came from = constant mon.d3r11
-- note: d is the difference of two samples as in device_interval. That the counters are cumulative is inferred from those of D6R3.
-- note: If there are more than a million pages per second, or the volume serial changed, the counters were reset and the rates are NULL.
WITH sample AS (
    SELECT
        {{ since_sample_before() }},
        STOASS_RDEVDEV, STOASS_CPVOLSER, STOASS_SCGSSCH,
        STOASS_CPVOLSER = lag(STOASS_CPVOLSER) OVER w AS is_same_volume,
        {{ increase_of("STOASS_EXPCTPRD") }} AS page_reads,
        {{ increase_of("STOASS_EXPCTPWR") }} AS page_writes,
        {{ increase_of("STOASS_EXPCTSRD") }} AS spool_reads,
        {{ increase_of("STOASS_EXPCTSWR") }} AS spool_writes,
        {{ increase_of("STOASS_EXPCTUSI") }} AS interferences,
        {{ increase_of("STOASS_SCGSSCH") }} AS starts
    {{ monitor_samples("mon_d3r11", "STOASS_RDEVSID") }}
),
valid AS (
    SELECT
        s.*,
        CASE
            WHEN is_same_volume AND page_reads + page_writes + spool_reads + spool_writes <= 1000000 * interval_s
                THEN interval_s
        END AS valid_s
    FROM sample s
    WHERE interval_s > 0
)
SELECT
    *,
    'z/VM' AS platform,
    '0' || STOASS_RDEVDEV AS device,
    nullif(STOASS_CPVOLSER, '') AS volser,
    page_reads / valid_s AS page_read_rate,
    page_writes / valid_s AS page_write_rate,
    spool_reads / valid_s AS spool_read_rate,
    spool_writes / valid_s AS spool_write_rate,
    interferences / valid_s AS interference_rate,
    CASE WHEN STOASS_SCGSSCH > 0 THEN starts / valid_s END AS start_rate,
    'mon.d3r11' AS source
FROM valid

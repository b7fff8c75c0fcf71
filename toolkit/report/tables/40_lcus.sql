-- title: Logical control units
-- about: As each system saw them, over the whole span; aliases as last configured. A refusal is a HyperPAV I/O that found no free alias; an I/O may be refused more than once.
-- missing: The lake has no measurements by LCU.
-- zvm: The lake has no HyperPAV pools: monitor record D6R28 shows them.
-- columns: lcu, system, devices, io_rate, response_ms, wait_ms, pend_ms, disc_ms, conn_ms
-- column aliases: Aliases
-- column high_water: Most in use
-- column refusals_per_io .3: Refusals per I/O, worst
-- column dry_intervals: Intervals with refusals
-- column queue_high_water: Most queued
WITH weighted AS (
    SELECT
        *,
        io_rate * interval_s AS ios,
        row_number() OVER (
            PARTITION BY platform, system, lcu ORDER BY hyperpav_aliases IS NULL, interval_start DESC
        ) = 1 AS is_last
    FROM lcu_interval
)
SELECT lcu, system, max(devices) AS devices, sum(ios) / nullif(sum(interval_s), 0) AS io_rate,
       {{ each(mean_of("NAME", "ios"), "response_ms wait_ms pend_ms disc_ms conn_ms") }},
       max(CASE WHEN is_last THEN hyperpav_aliases END) AS aliases,
       max(alias_high_water) AS high_water, max(alias_denied_ratio) AS refusals_per_io,
       CAST(sum(CASE WHEN alias_denied_count IS NULL THEN NULL WHEN alias_denied_count > 0 THEN 1 ELSE 0 END) AS BIGINT)
           AS dry_intervals,
       max(queue_high_water) AS queue_high_water
FROM weighted AS w
GROUP BY platform, lcu, system
ORDER BY sum(w.ios * w.wait_ms) DESC NULLS LAST, lcu, system, platform

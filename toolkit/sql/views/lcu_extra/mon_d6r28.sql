-- source: mon.d6r28
-- formula interval_start: time of the pool's sample before (high)
-- formula interval_s: time since the pool's sample before (high)
-- formula lcu: IODHPP_HPPTOKEN, the SSID of the control unit behind the pool (high)
-- formula hyperpav_aliases: IODHPP_HPPNALIS (high)
-- formula alias_high_water: IODHPP_HPPNALIS - IODHPP_HPPMINCT (low)
-- formula alias_io_count: d IODHPP_HPPTRIES: searches of the pool, which only I/Os to a busy base make (medium)
-- formula alias_denied_count: d IODHPP_HPPFAILS (high)
-- formula alias_denied_ratio: d IODHPP_HPPFAILS / d IODHPP_HPPTRIES: of searches, not of all I/Os (high)
-- formula is_superpav: constant false (medium)
-- formula source: mon.d6r28 (high)
-- note: d is the difference of two samples of the same pool as in device_interval, modulo 2^32. If more searches failed than were made, the counters were reset and the interval is not used.
-- note: It is not confirmed whether IODHPP_HPPMINCT, the fewest free, is of this interval or since IPL.
-- note: Several pools of one control unit are added; changes of a pool by two systems leave such pools.
WITH sample AS (
    SELECT
        {{ since_sample_before() }},
        IODHPP_HPPTOKEN, IODHPP_HPPNALIS, IODHPP_HPPMINCT, file_id, record_offset,
        lag(IODHPP_HPPTOKEN) OVER w AS before_token,
        {{ increase_of("IODHPP_HPPTRIES") }} AS tries,
        {{ increase_of("IODHPP_HPPFAILS") }} AS fails
    {{ monitor_samples("mon_d6r28", "IODHPP_HPPOOLNM") }}
)
SELECT
    system, interval_start,
    max(interval_s) AS interval_s,
    IODHPP_HPPTOKEN AS lcu,
    CAST(sum(IODHPP_HPPNALIS) AS BIGINT) AS hyperpav_aliases,
    CAST(sum(IODHPP_HPPNALIS - IODHPP_HPPMINCT) AS BIGINT) AS alias_high_water,
    CAST(sum(tries) AS DOUBLE) AS alias_io_count,
    CAST(sum(fails) AS DOUBLE) AS alias_denied_count,
    sum(fails) / nullif(CAST(sum(tries) AS DOUBLE), 0) AS alias_denied_ratio,
    max(utc_offset_s) AS utc_offset_s,
    min(file_id) AS file_id,
    min(record_offset) AS place
FROM sample
WHERE interval_s > 0 AND before_token = IODHPP_HPPTOKEN
    AND IODHPP_HPPTOKEN <> '0000' AND fails <= tries AND tries <= 100000 * interval_s
GROUP BY system, interval_start, IODHPP_HPPTOKEN

-- source: mon.d6r3
-- formula device: 0 and IODDEV_RDEVDEV (medium)
-- formula online: constant true: CP samples online devices (medium)
-- formula volser: IODDEV_RDEVSER; an alias has that of its base (medium)
-- formula lcu: IODHPP_HPPTOKEN or MTRHPP_HPPTOKEN, the SSID of the control unit behind the device's HyperPAV pool, where all records agree; NULL for other devices (medium)
-- formula device_type: MTRDEV_RDEVDVID of D1R6 (high)
-- formula control_unit_type: MTRDEV_RDEVCUID of D1R6 (high)
-- formula role: alias if CALRDEVDEV (of D1R6, D6R1 or D6R20, the last) names another device, base if one names it, or if it is in a HyperPAV pool; single otherwise; unknown without D1R6 (low)
-- formula base_device: the device CALRDEVDEV names; the device itself for base and single (low)
-- formula exposures: base: 1 + aliases tied to it, of these only the sampled ones where any alias of the system is sampled that day; single: 1; HyperPAV, alias, unknown: NULL (low)
-- formula is_hyperpav: IODDEV_RDEVHPPL is not 0 (medium)
-- formula io_rate: d SCGSSCH / s (d SCMSSCH modulo 65536 where SCGSSCH stays 0); HyperPAV base: + d PAVSSCH / s (medium)
-- formula pend_ms: d SCMFPTIM * 0.128 / d SCGCOUNT; HyperPAV base: with d PAVFPTIM and d PAVCOUNT (medium)
-- formula disc_ms: d SCMDDTIM * 0.128 / d SCGCOUNT; HyperPAV base: with d PAVDDTIM and d PAVCOUNT (medium)
-- formula conn_ms: d SCMCNTIM * 0.128 / d SCGCOUNT; HyperPAV base: with d PAVCNTIM and d PAVCOUNT (medium)
-- formula cmr_ms: d SCMIRTIM * 0.128 / d SCGCOUNT; NULL where the counter stays 0 (medium)
-- formula device_busy_ms: d SCMDBTIM * 0.128 / d SCGCOUNT; NULL where neither it nor SCMIRTIM ever counts (medium)
-- formula cu_queue_ms: d SCMCQTIM * 0.128 / d SCGCOUNT; HyperPAV base: with d PAVCQTIM and d PAVCOUNT (medium)
-- formula read_ratio: d RDEVRDCT / d (RDEVRDCT + RDEVWRCT) (low)
-- formula mdc_avoided_rate: d RDEVMCIA / s (low)
-- formula throttle_delay_rate: d THRDLYS / s (medium)
-- formula paths: bits of RDEVLPM; NULL where there is none (medium)
-- formula service_ms: pend_ms + disc_ms + conn_ms; SCMDATIM is not added (medium)
-- formula queue_length: d HFRDEVCT / d HFCTIO (low)
-- formula wait_ms: 1000 * queue_length / io_rate (low)
-- formula wait_source: sampled (high)
-- formula response_ms: wait_ms + service_ms (low)
-- formula in_service: io_rate * service_ms / 1000 (medium)
-- formula connect_ratio: d SCMCNTIM * 0.000128 / s (medium)
-- formula busy_ratio: d (SCMDDTIM + SCMCNTIM) * 0.000128 / s, pending time left out as in RMF (medium)
-- formula total_io_rate: as io_rate (medium)
-- formula total_response_ms: as response_ms (low)
-- formula source: mon.d6r3 (high)
-- formula device_class: dasd where IODDEV_RDEVSER or a base gives a volume, or for type 33xx and 93xx; tape, communication, graphics, unit_record or other by MTRDEV_RDEVDVID else; NULL where that is 0 or not at hand (low)
-- formula measured_count: d SCGCOUNT (medium)
-- note: d is the difference of two samples of the same device since the same IPL, in any files, modulo 2^32 (2^16 for the short counters). There is no interval if samples are missing between the two for more than a day, or more than three times as long as the intervals around.
-- note: The counters were reset if a difference is impossible in the time, or the volume serial changed. Limits: 100 000 starts, reads and writes, avoided or delayed I/Os per second; a component time above the interval by half. The interval's measurements are then NULL.
-- note: In a HyperPAV pool devices without a volume serial are taken for aliases and left out, because their work is in the PAV fields of the base. That SCGSSCH does not include PAVSSCH is inferred from the names.
WITH sample AS (
    SELECT
        {{ since_sample_before() }},
        IODDEV_RDEVSID, IODDEV_RDEVDEV, IODDEV_RDEVSER, IODDEV_RDEVHPPL, IODDEV_RDEVLPM, IODDEV_SCGSSCH, IODDEV_SCMIRTIM,
        IODDEV_SCMDBTIM, file_id, record_offset,
        lag(IODDEV_RDEVSER) OVER w AS before_volser,
        {{ each("(IODDEV_NAME - (lag(IODDEV_NAME) OVER w) + 65536) % 65536", "SCMSSCH SCMCOUNT", "d_NAME") }},
        {{ each(increase_of("IODDEV_NAME"), "SCGSSCH SCGCOUNT SCMFPTIM SCMDDTIM SCMCNTIM SCMCQTIM SCMIRTIM SCMDBTIM
            RDEVRDCT RDEVWRCT RDEVMCIA THRDLYS HFRDEVCT HFCTIO PAVSSCH PAVCOUNT PAVFPTIM PAVDDTIM PAVCNTIM PAVCQTIM",
            "d_NAME") }}
    {{ monitor_samples("mon_d6r3", "IODDEV_RDEVSID") }}
),
measured AS (
    SELECT
        s.*,
        1.5 * 1000 * s.interval_s + 1000 AS limit_ms,
        CASE WHEN d_SCGSSCH > 0 OR IODDEV_SCGSSCH > 0 THEN d_SCGSSCH ELSE d_SCMSSCH END AS ssch,
        nullif(CASE WHEN d_SCGSSCH > 0 OR IODDEV_SCGSSCH > 0 THEN d_SCGCOUNT ELSE d_SCMCOUNT END, 0) AS mec,
        {% for part, timer in [("pend", "FPTIM"), ("disc", "DDTIM"), ("conn", "CNTIM"), ("cu_queue", "CQTIM")] -%}
        d_SCM{{ timer }} * 0.128e0 AS {{ part }}_total_ms,
        d_PAV{{ timer }} * 0.128e0 AS pav_{{ part }}_ms,
        {% endfor -%}
        d_PAVSSCH AS pav_ssch,
        coalesce(IODDEV_RDEVHPPL, 0) <> 0 AS in_pool
    FROM sample s
    {{ join_sample("s", "'device'", "'0' || s.IODDEV_RDEVDEV") }}
    WHERE s.interval_s > 0 AND x.subject IS NULL
),
valid AS (
    SELECT
        m.*,
        coalesce(IODDEV_RDEVSER = before_volser, FALSE)
            AND ssch <= 100000 * interval_s
            AND pend_total_ms <= limit_ms
            AND disc_total_ms <= limit_ms
            AND conn_total_ms <= limit_ms AS is_valid,
        CASE WHEN in_pool THEN coalesce(d_PAVCOUNT, 0) ELSE 0 END AS alias_mec,
        {{ each("CASE WHEN in_pool THEN coalesce(pav_NAME, 0) ELSE 0 END", "ssch pend_ms disc_ms conn_ms cu_queue_ms",
            "alias_NAME") }}
    FROM measured m
),
derived AS (
    SELECT
        v.*,
        CASE WHEN is_valid THEN (ssch + alias_ssch) / interval_s END AS io_rate,
        CASE WHEN is_valid THEN d_HFRDEVCT / nullif(CAST(d_HFCTIO AS DOUBLE), 0) END AS queue_length,
        {{ each("CASE WHEN is_valid THEN (NAME_total_ms + alias_NAME_ms) / nullif(coalesce(mec, 0) + alias_mec, 0) END",
            "pend disc conn", "NAME_ms") }},
        CASE
            WHEN is_valid AND cu_queue_total_ms <= limit_ms
                THEN (cu_queue_total_ms + alias_cu_queue_ms) / nullif(coalesce(mec, 0) + alias_mec, 0)
        END AS cu_queue_ms,
        CASE
            WHEN is_valid AND d_RDEVRDCT + d_RDEVWRCT <= 100000 * interval_s
                THEN d_RDEVRDCT / nullif(CAST(d_RDEVRDCT + d_RDEVWRCT AS DOUBLE), 0)
        END AS read_ratio,
        CASE WHEN is_valid AND d_RDEVMCIA <= 100000 * interval_s THEN d_RDEVMCIA / interval_s END AS mdc_avoided_rate,
        CASE WHEN is_valid AND d_THRDLYS <= 100000 * interval_s THEN d_THRDLYS / interval_s END AS throttle_delay_rate,
        CASE WHEN is_valid AND IODDEV_SCMIRTIM > 0 THEN d_SCMIRTIM * 0.128e0 / mec END AS cmr_ms,
        -- both times are in the extended measurement block: where one counts, the other is known
        CASE WHEN is_valid AND IODDEV_SCMDBTIM + IODDEV_SCMIRTIM > 0 THEN d_SCMDBTIM * 0.128e0 / mec END AS device_busy_ms
    FROM valid v
),
stated AS (
    {% for record, block in [("mon_d1r6", "MTRDEV"), ("mon_d6r1", "IODVON"), ("mon_d6r20", "IODSTC")] %}
    {{ "UNION ALL" if not loop.first }}
    SELECT
        owner AS system, MRHDRTOD AS stated_at, {{ block }}_RDEVSID AS sid, {{ block }}_RDEVDEV AS dev,
        {{ block }}_RDEVDVID AS device_type, {{ block }}_RDEVCUID AS control_unit_type, {{ block }}_CALRDEVDEV AS partner
    FROM {{ monitor_records(record) }} AS {{ record }}_devices
    {% endfor %}
),
last_stated AS (
    SELECT t.*, row_number() OVER (PARTITION BY system, sid ORDER BY stated_at DESC, partner DESC) AS age
    FROM stated t
),
configured AS (
    SELECT
        system, sid, dev, device_type, control_unit_type,
        CASE WHEN partner <> '0000' AND partner <> dev THEN partner END AS base
    FROM last_stated
    WHERE age = 1
),
tied AS (
    SELECT system, base, count(*) AS aliases
    FROM configured
    WHERE base IS NOT NULL
    GROUP BY system, base
),
sampled AS (
    -- CP samples devices that are online
    SELECT d.system, d.interval_start, c.base, count(*) AS aliases
    FROM derived d
    JOIN configured c ON c.system = d.system AND c.sid = d.IODDEV_RDEVSID
    WHERE c.base IS NOT NULL
    GROUP BY d.system, d.interval_start, c.base
),
base_volume AS (
    SELECT system, interval_start, IODDEV_RDEVDEV AS dev, max(nullif(IODDEV_RDEVSER, '')) AS volser
    FROM derived
    GROUP BY system, interval_start, IODDEV_RDEVDEV
),
pool_lcu AS (
    SELECT system, pool, max(token) AS lcu
    FROM (
        SELECT owner AS system, IODHPP_HPPOOLNM AS pool, nullif(IODHPP_HPPTOKEN, '0000') AS token
        FROM {{ monitor_records("mon_d6r28") }} AS used_pool
        UNION
        SELECT owner, MTRHPP_HPPOOLNM, nullif(MTRHPP_HPPTOKEN, '0000')
        FROM {{ monitor_records("mon_d1r20") }} AS defined_pool
    ) AS stated_pool
    GROUP BY system, pool
    HAVING count(DISTINCT token) = 1
),
known AS (
    SELECT
        d.*, h.lcu, c.device_type,
        {{ device_class_of("c.device_type") }} AS type_class,
        c.control_unit_type, c.base,
        CASE WHEN d.system IN (SELECT system FROM sampled) THEN coalesce(n.aliases, 0) ELSE t.aliases END AS aliases,
        coalesce(nullif(d.IODDEV_RDEVSER, ''), b.volser) AS volume_serial,
        CASE
            WHEN c.base IS NOT NULL THEN 'alias'
            WHEN t.aliases IS NOT NULL OR (d.in_pool AND d.IODDEV_RDEVSER <> '') THEN 'base'
            WHEN c.sid IS NULL THEN 'unknown'
            ELSE 'single'
        END AS role
    FROM derived d
    LEFT JOIN configured c ON c.system = d.system AND c.sid = d.IODDEV_RDEVSID
    LEFT JOIN tied t ON t.system = d.system AND t.base = d.IODDEV_RDEVDEV
    LEFT JOIN sampled n ON n.system = d.system AND n.interval_start = d.interval_start AND n.base = d.IODDEV_RDEVDEV
    LEFT JOIN pool_lcu h ON h.system = d.system AND h.pool = nullif(d.IODDEV_RDEVHPPL, 0)
    LEFT JOIN base_volume b ON b.system = d.system AND b.interval_start = d.interval_start AND b.dev = c.base
    WHERE NOT (d.in_pool AND d.IODDEV_RDEVSER = '' AND c.base IS NULL)
)
SELECT
    system, interval_start, interval_s,
    '0' || IODDEV_RDEVDEV AS device,
    lcu,
    TRUE AS online,
    volume_serial AS volser,
    nullif(device_type, '0000') AS device_type,
    nullif(control_unit_type, '0000') AS control_unit_type,
    role,
    CASE WHEN role = 'alias' THEN '0' || base WHEN role IN ('base', 'single') THEN '0' || IODDEV_RDEVDEV END AS base_device,
    CASE WHEN in_pool THEN NULL WHEN role = 'base' THEN 1.0 + aliases WHEN role = 'single' THEN 1.0 END AS exposures,
    in_pool AS is_hyperpav,
    io_rate,
    1000 * queue_length / nullif(io_rate, 0) AS wait_ms,
    CASE WHEN queue_length IS NOT NULL AND io_rate > 0 THEN 'sampled' END AS wait_source,
    pend_ms, cmr_ms, device_busy_ms, disc_ms, conn_ms,
    pend_ms + disc_ms + conn_ms AS service_ms,
    1000 * queue_length / nullif(io_rate, 0) + pend_ms + disc_ms + conn_ms AS response_ms,
    io_rate * (pend_ms + disc_ms + conn_ms) / 1000 AS in_service,
    queue_length, cu_queue_ms, read_ratio, mdc_avoided_rate, throttle_delay_rate,
    nullif(CAST(bit_count(IODDEV_RDEVLPM) AS BIGINT), 0) AS paths,
    CASE WHEN is_valid THEN (conn_total_ms + alias_conn_ms) / 1000 / interval_s END AS connect_ratio,
    CASE WHEN is_valid THEN (disc_total_ms + conn_total_ms + alias_disc_ms + alias_conn_ms) / 1000 / interval_s END
        AS busy_ratio,
    utc_offset_s,
    CASE WHEN volume_serial IS NOT NULL AND type_class IS DISTINCT FROM 'tape' THEN 'dasd' ELSE type_class END AS device_class,
    CASE WHEN is_valid THEN coalesce(mec, 0) + alias_mec END AS measured_count,
    io_rate AS total_io_rate,
    1000 * queue_length / nullif(io_rate, 0) + pend_ms + disc_ms + conn_ms AS total_response_ms,
    file_id, record_offset AS place
FROM known

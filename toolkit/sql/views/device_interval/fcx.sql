-- source: fcx168, fcx108, fcx110
-- formula interval_start: From of the page heading, or the end time of the row before, brought to UTC by listing_clock if the system's monitor data have its offset (medium)
-- formula interval_s: Secs of the page heading, or the time since the row before (medium)
-- formula device: 0 and Addr (medium)
-- formula online: TRUE where a rate, a time or Percent Busy is printed; NULL else: a number that can't be read takes no device offline (low)
-- formula volser: first word of Label/ID of DASD (type 33xx or 93xx) if it has six characters or less and no other device at that time: one of several is the guest's that they are dedicated to; an alias has its base's (low)
-- formula device_type: Type as printed; an alias has its base's (low)
-- formula device_class: dasd for types 33xx and 93xx and for aliases; tape, communication, graphics, unit_record or other by Type else; NULL where none is printed (low)
-- formula role: alias if Type begins with ->, or for DASD without any label: CP gives those no work of their own; base if an alias points to it, single if the system's listings mark aliases elsewhere, else unknown (low)
-- formula base_device: the device after -> in Type; the device itself for base and single (low)
-- formula exposures: base: 1 + its aliases in the interval; single, and is_hyperpav FALSE: 1; alias, unknown: NULL (low)
-- formula is_hyperpav: TRUE for DASD of unknown role while DASD without label (CP alone is none) do I/O and the listing ties no alias to a base; FALSE where I/Os queue while these do none, if two or more of them do I/O at other times of the day; NULL else (low)
-- formula io_rate: Rate/s I/O (medium)
-- formula pend_ms: Time Pend (medium)
-- formula disc_ms: Time Disc (medium)
-- formula conn_ms: Time Conn (medium)
-- formula service_ms: Time Serv; Pend + Disc + Conn where it is not printed or they contradict it (medium)
-- formula wait_ms: 1000 * queue_length / Rate/s I/O (medium)
-- formula wait_source: sampled where Req. Qued is printed, reported where Resp - Serv stands alone (high)
-- formula response_ms: service_ms + wait_ms (medium)
-- formula in_service: Rate/s I/O * Serv / 1000 (medium)
-- formula queue_length: Req. Qued; within its rounding the rate of the device or of its volume * (Resp - Serv) / 1000, whichever is nearer; where it is not printed that of the device (medium)
-- formula connect_ratio: Rate/s I/O * Conn / 1000 (medium)
-- formula busy_ratio: rate * (disc + conn) / 1000, pending time left out as in RMF; Percent Busy / 100, which counts it, where a part is not known (medium)
-- formula total_io_rate: Rate/s I/O: z/VM does no synchronous I/O of its own that it reports (medium)
-- formula total_response_ms: response_ms (medium)
-- formula read_ratio: Percent READ / 100 of a device that does I/O (low)
-- formula cu_queue_ms: Time CUWt (low)
-- formula mdc_avoided_rate: Rate/s Avoid (low)
-- formula throttle_delay_rate: Throttle Dly/s (low)
-- formula paths: Paths (low)
-- formula recovery_count: Recov SSCH (low)
-- formula reserved_ratio: Reserved / 100 of the FCX110 page of the device with the same interval (medium)
-- formula source: fcx168 or fcx108 (high)
-- note: Listings print local time and no zone. Without monitor data of the system in the lake interval_start is that local time.
-- note: Left out where monitor data (D6R3) of the device or shorter intervals of a listing hold the same time, see left_out.
-- note: Screen forms print no date; their rows are in the raw tables only.
-- note: FCX108 rows (means over the same time) are left out if a system's device has FCX168 rows at the same time. Among rows for the same device and start, the shortest interval is taken.
-- note: Req. Qued is printed to 0.1. Resp - Serv refines it only if both agree within the printed precision. Otherwise they contradict each other and Req. Qued counts.
-- note: On a base with aliases Resp - Serv is the queue over either the base's own rate or the volume's rate. The one that agrees with Req. Qued is taken.
-- note: All rows of a volume in an interval, base and aliases, come from one report of one listing. listing_repeat has the ignored rows with different numbers.
-- note: Times are printed to 0.1 ms. Numbers that contradict each other by more than that and 1 % are issues (contradiction). The parts and the printed queue are used.
WITH listed AS (
    {%- for report in ["fcx168", "fcx108"] %}
    SELECT
        '{{ report }}' AS source, file_id, line, system, interval_start, interval_s, utc_offset_s,
        addr, type, label_id, rate_io, rate_avoid, time_pend, time_disc, time_conn, time_serv, time_resp, time_cuwt,
        req_qued, percent_busy, percent_read, throttle_dly, paths, recov_ssch
    FROM {{ report }}
    {{ "UNION ALL" if not loop.last }}
    {%- endfor %}
),
detail AS (
    SELECT system, interval_start, interval_s, lpad(addr, 5, '0') AS device, max(reserved) / 100 AS reserved_ratio
    FROM fcx110
    GROUP BY system, interval_start, interval_s, lpad(addr, 5, '0')
),
printed AS (
    SELECT
        p.source, p.file_id, p.line, p.system, l.interval_start, p.interval_s, l.utc_offset_s,
        p.addr, p.type, nullif(p.label_id, 'CP') AS label_id, p.rate_io,
        p.rate_avoid, p.time_pend, p.time_disc, p.time_conn, p.time_serv,
        p.time_resp, p.time_cuwt, p.req_qued, p.percent_busy, p.percent_read, p.throttle_dly, p.reserved_ratio, p.paths,
        p.recov_ssch,
        CASE WHEN p.type LIKE '->%' THEN trim(substr(p.type, 3)) END AS base_addr,
        -- an alias and its base are one volume: its rows come from one listing, or none of them adds up
        CASE WHEN p.type LIKE '->%' THEN trim(substr(p.type, 3)) ELSE p.addr END AS volume_addr
    FROM (
        SELECT d.*, lpad(d.addr, 5, '0') AS device, f.reserved_ratio
        FROM listed d
        LEFT JOIN detail f
            ON f.system = d.system AND f.interval_start = d.interval_start AND f.interval_s = d.interval_s
            AND f.device = lpad(d.addr, 5, '0')
    ) AS p
    {{ join_listing("p", "'z/VM'", "'device'", "p.system", "p.device") }}
    WHERE x.subject IS NULL
),
logged AS (
    SELECT system, volume_addr, min(interval_start) AS first_start, max(interval_start) AS last_start
    FROM printed
    WHERE source = 'fcx168'
    GROUP BY system, volume_addr
),
chosen AS (
    SELECT
        p.*,
        dense_rank() OVER (
            PARTITION BY p.system, p.interval_start, p.volume_addr
            ORDER BY p.interval_s, p.source DESC, p.file_id
        ) AS listing
    FROM printed p
    LEFT JOIN logged l ON l.system = p.system AND l.volume_addr = p.volume_addr
    WHERE p.source = 'fcx168' OR l.volume_addr IS NULL
        OR p.interval_start < l.first_start OR p.interval_start > l.last_start
),
ranked AS (
    SELECT
        c.*,
        row_number() OVER (
            PARTITION BY system, interval_start, addr ORDER BY interval_s, source DESC, file_id, line
        ) AS copy
    FROM chosen c
    WHERE listing = 1
),
device AS (
    SELECT
        r.*,
        {{ device_class_of("r.type") }} AS type_class,
        split_part(r.label_id, ' ', 1) AS label,
        sum(r.rate_io) OVER (PARTITION BY r.system, r.interval_start, r.volume_addr) AS volume_rate,
        coalesce(r.label_id, '') = '' AND {{ device_class_of("r.type") }} = 'dasd' AS is_unlabelled,
        r.time_pend + r.time_disc + r.time_conn AS parts
    FROM ranked r
    WHERE r.copy = 1
),
alias_count AS (
    SELECT system, interval_start, base_addr, count(*) AS aliases
    FROM device
    WHERE base_addr IS NOT NULL
    GROUP BY system, interval_start, base_addr
),
in_use AS (
    SELECT system, interval_start, addr FROM device WHERE is_unlabelled AND rate_io > 0
),
-- one alone may be any DASD without a label
pooled AS (
    SELECT system FROM in_use GROUP BY system HAVING count(DISTINCT addr) > 1
),
marks AS (
    SELECT DISTINCT system
    FROM device
    WHERE base_addr IS NOT NULL
),
-- the guest that several devices are dedicated to
owner AS (
    SELECT DISTINCT system, label
    FROM (
        SELECT system, interval_start, label
        FROM device
        WHERE base_addr IS NULL AND type_class = 'dasd'
        GROUP BY system, interval_start, label
        HAVING count(*) > 1
    ) several
),
linked AS (
    SELECT
        d.*,
        CASE
            WHEN d.base_addr IS NOT NULL OR d.is_unlabelled THEN 'alias'
            WHEN a.aliases IS NOT NULL THEN 'base'
            WHEN m.system IS NOT NULL THEN 'single'
            ELSE 'unknown'
        END AS role,
        -- of a pool whose aliases do nothing any more, what queues finds none
        CASE WHEN m.system IS NOT NULL THEN NULL WHEN u.system IS NOT NULL THEN TRUE WHEN p.system IS NOT NULL THEN FALSE END AS has_pool,
        coalesce(a.aliases, 0) AS aliases,
        CASE WHEN o.label IS NULL THEN coalesce(b.label, d.label) END AS volume_label,
        coalesce(b.type, d.type) AS own_type,
        -- no other device has aliases
        CASE WHEN d.base_addr IS NOT NULL THEN 'dasd' ELSE d.type_class END AS device_class,
        -- printed times are rounded: a response a little below the service means no wait
        CASE WHEN d.time_resp < coalesce(d.time_serv, d.parts) THEN 0 ELSE d.time_resp - coalesce(d.time_serv, d.parts) END
            / 1000 AS wait_s,
        CASE
            WHEN abs(d.time_serv - d.parts) > 0.4 + 0.01 * greatest(d.time_serv, d.parts) THEN d.parts
            ELSE coalesce(d.time_serv, d.parts)
        END AS serv
    FROM device d
    LEFT JOIN alias_count a ON {{ equal("system, interval_start", "a", "d") }} AND a.base_addr = d.addr
    LEFT JOIN device b ON {{ equal("system, interval_start", "b", "d") }} AND b.addr = d.base_addr
    LEFT JOIN marks m ON m.system = d.system
    LEFT JOIN (SELECT DISTINCT system, interval_start FROM in_use) u ON {{ equal("system, interval_start", "u", "d") }}
    LEFT JOIN pooled p ON p.system = d.system
    LEFT JOIN owner o ON o.system = d.system AND o.label = coalesce(b.label, d.label)
)
SELECT
    system, interval_start, interval_s,
    lpad(addr, 5, '0') AS device,
    CASE WHEN coalesce(rate_io, time_serv, time_resp, parts, percent_busy) IS NOT NULL THEN TRUE END AS online,
    CASE WHEN device_class = 'dasd' AND length(volume_label) BETWEEN 1 AND 6 THEN volume_label END AS volser,
    CASE WHEN own_type NOT LIKE '->%' THEN nullif(own_type, '') END AS device_type,
    device_class, role,
    CASE
        WHEN role = 'alias' THEN lpad(base_addr, 5, '0') -- NULL in a pool
        WHEN role IN ('base', 'single') THEN lpad(addr, 5, '0')
    END AS base_device,
    CASE WHEN role = 'base' THEN 1.0 + aliases WHEN role = 'single' OR is_pooled = FALSE THEN 1.0 END AS exposures,
    is_pooled AS is_hyperpav,
    rate_io AS io_rate,
    wait_ms,
    CASE WHEN wait_ms IS NULL THEN NULL WHEN req_qued IS NULL THEN 'reported' ELSE 'sampled' END AS wait_source,
    time_pend AS pend_ms,
    time_disc AS disc_ms,
    time_conn AS conn_ms,
    serv AS service_ms,
    serv + wait_ms AS response_ms,
    rate_io * serv / 1000 AS in_service,
    queue AS queue_length,
    rate_io * time_conn / 1000 AS connect_ratio,
    coalesce(rate_io * (time_disc + time_conn) / 1000, percent_busy / 100) AS busy_ratio,
    source, utc_offset_s,
    rate_io AS total_io_rate,
    serv + wait_ms AS total_response_ms,
    CASE WHEN rate_io > 0 OR rate_io IS NULL THEN percent_read / 100 END AS read_ratio,
    time_cuwt AS cu_queue_ms,
    rate_avoid AS mdc_avoided_rate,
    throttle_dly AS throttle_delay_rate,
    paths,
    recov_ssch AS recovery_count,
    reserved_ratio, file_id, line AS place
FROM (
    SELECT
        q.*, 1000 * queue / nullif(rate_io, 0) AS wait_ms,
        CASE WHEN role = 'unknown' AND device_class = 'dasd' AND (has_pool OR queue > 0) THEN has_pool END AS is_pooled
    FROM (
        SELECT
            n.*,
            CASE
                WHEN req_qued IS NULL THEN own_queue
                WHEN abs(near_queue - req_qued) <= 0.1 + 0.0002 * volume_rate + 0.01 * req_qued THEN near_queue
                ELSE req_qued
            END AS queue
        FROM (
            SELECT
                w.*,
                CASE
                    WHEN abs(volume_queue - req_qued) < abs(own_queue - req_qued) THEN volume_queue
                    ELSE own_queue
                END AS near_queue
            FROM (
                SELECT l.*, rate_io * wait_s AS own_queue, volume_rate * wait_s AS volume_queue FROM linked l
            ) AS w
        ) AS n
    ) AS q
) AS waited

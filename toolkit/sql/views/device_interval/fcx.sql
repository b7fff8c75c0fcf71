-- feeds: device_interval
-- source: fcx168, fcx108
-- formula platform: constant z/VM (high)
-- formula system: system id of the page heading (medium)
-- formula interval_start: From of the page heading, or the end time of the row before, brought to UTC by listing_interval where the system's monitor data tell its offset (medium)
-- formula interval_s: Secs of the page heading, or the time since the row before (medium)
-- formula device: 0 and Addr (medium)
-- formula online: a rate is printed (low)
-- formula volser: first word of Label/ID of DASD (type 33xx or 93xx) if it has six characters or less; an alias has its base's (low)
-- formula device_type: Type without hyphen; an alias has its base's (low)
-- formula device_class: dasd for types 33xx and 93xx and for aliases; tape, communication, graphics, unit_record or other by Type else; NULL where none is printed (low)
-- formula role: alias if Type begins with ->, base if an alias points to it, single if the system's listings mark aliases elsewhere, else unknown (low)
-- formula base_device: the device after -> in Type; the device itself for base and single (low)
-- formula exposures: base: 1 + its aliases in the interval; single: 1; alias, unknown: NULL (low)
-- formula io_rate: Rate/s I/O (medium)
-- formula pend_ms: Time Pend (medium)
-- formula disc_ms: Time Disc (medium)
-- formula conn_ms: Time Conn (medium)
-- formula service_ms: Time Serv; Pend + Disc + Conn where it is not printed or they contradict it (medium)
-- formula wait_ms: Time Resp - Serv, 0 if that is below 0 (medium)
-- formula wait_source: reported (high)
-- formula response_ms: Time Resp; service_ms + wait_ms where they contradict it (medium)
-- formula in_service: Rate/s I/O * Serv / 1000 (medium)
-- formula queue_length: Rate/s I/O * (Resp - Serv) / 1000 (medium)
-- formula connect_ratio: Rate/s I/O * Conn / 1000 (medium)
-- formula busy_ratio: rate * (disc + conn) / 1000, pending time left out as in RMF; Percent Busy, which counts it, stays in the raw table (medium)
-- formula total_io_rate: Rate/s I/O: z/VM does no synchronous I/O of its own that it reports (medium)
-- formula total_response_ms: response_ms (medium)
-- formula source: fcx168 or fcx108 (high)
-- formula utc_offset_s: that of the system's monitor data near that time; NULL if there are none (medium)
-- note: Listings print local time and no zone. Without monitor data of the system in the lake interval_start is that local time.
-- note: Left out where monitor data (D6R3) of the device or shorter intervals of a listing hold more than half of the interval, see listing_beside.
-- note: Screen forms print no date; their rows are in the raw tables only.
-- note: Where one system's device has FCX168 rows at the same time, FCX108 rows (means over the same time) are left out; of rows for the same device and start the one with the shortest interval is taken.
-- note: A volume's rows of an interval, base and aliases, come from one report of one listing; listing_repeat names what was left out with other numbers.
-- note: Times are printed to 0.1 ms. Numbers that contradict each other by more than that and 1 % are issues (contradiction): the parts count, and the wait that is printed.
WITH listed AS (
    SELECT
        'fcx168' AS source, file_id, line, system, interval_start, interval_s, utc_offset_s,
        addr, type, label_id, rate_io, time_pend, time_disc, time_conn, time_serv, time_resp
    FROM fcx168
    UNION ALL
    SELECT
        'fcx108' AS source, file_id, line, system, interval_start, interval_s, utc_offset_s,
        addr, type, label_id, rate_io, time_pend, time_disc, time_conn, time_serv, time_resp
    FROM fcx108
),
printed AS (
    SELECT
        p.source, p.file_id, p.line, p.system, l.interval_start, p.interval_s, l.utc_offset_s,
        p.addr, p.type, p.label_id, p.rate_io, p.time_pend, p.time_disc, p.time_conn, p.time_serv, p.time_resp,
        CASE WHEN p.type LIKE '->%' THEN trim(substr(p.type, 3)) END AS base_addr,
        -- an alias and its base are one volume: its rows come from one listing, or none of them adds up
        CASE WHEN p.type LIKE '->%' THEN trim(substr(p.type, 3)) ELSE p.addr END AS volume_addr
    FROM (SELECT d.*, lpad(addr, 5, '0') AS device FROM listed d) AS p
    /* rows of p by p.device of p.system in 'z/VM' 'device' listings, by listing_clock and listing_beside */
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
        /* device class of r.type */ AS type_class,
        split_part(r.label_id, ' ', 1) AS label,
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
marks AS (
    SELECT DISTINCT system
    FROM device
    WHERE base_addr IS NOT NULL
),
linked AS (
    SELECT
        d.*,
        CASE
            WHEN d.base_addr IS NOT NULL THEN 'alias'
            WHEN a.aliases IS NOT NULL THEN 'base'
            WHEN m.system IS NOT NULL THEN 'single'
            ELSE 'unknown'
        END AS role,
        coalesce(a.aliases, 0) AS aliases,
        coalesce(b.label, d.label) AS volume_label,
        coalesce(b.type, d.type) AS own_type,
        -- no other device has aliases
        CASE WHEN d.base_addr IS NOT NULL THEN 'dasd' ELSE d.type_class END AS device_class,
        coalesce(d.time_serv, d.parts) AS printed_serv,
        CASE
            WHEN abs(d.time_serv - d.parts) > 0.4 + 0.01 * greatest(d.time_serv, d.parts) THEN d.parts
            ELSE coalesce(d.time_serv, d.parts)
        END AS serv
    FROM device d
    LEFT JOIN alias_count a
        ON a.system = d.system AND a.interval_start = d.interval_start AND a.base_addr = d.addr
    LEFT JOIN device b
        ON b.system = d.system AND b.interval_start = d.interval_start AND b.addr = d.base_addr
    LEFT JOIN marks m ON m.system = d.system
)
SELECT
    'z/VM' AS platform,
    system,
    interval_start,
    interval_s,
    lpad(addr, 5, '0') AS device,
    rate_io IS NOT NULL AS online,
    CASE WHEN device_class = 'dasd' AND length(volume_label) BETWEEN 1 AND 6 THEN volume_label END AS volser,
    CASE WHEN own_type NOT LIKE '->%' THEN nullif(replace(own_type, '-', ''), '') END AS device_type,
    device_class,
    role,
    CASE
        WHEN role = 'alias' THEN lpad(base_addr, 5, '0')
        WHEN role IN ('base', 'single') THEN lpad(addr, 5, '0')
    END AS base_device,
    CASE WHEN role = 'base' THEN 1.0 + aliases WHEN role = 'single' THEN 1.0 END AS exposures,
    rate_io AS io_rate,
    queued AS wait_ms,
    CASE WHEN queued IS NOT NULL THEN 'reported' END AS wait_source,
    time_pend AS pend_ms,
    time_disc AS disc_ms,
    time_conn AS conn_ms,
    serv AS service_ms,
    resp AS response_ms,
    rate_io * serv / 1000 AS in_service,
    rate_io * queued / 1000 AS queue_length,
    rate_io * time_conn / 1000 AS connect_ratio,
    rate_io * (time_disc + time_conn) / 1000 AS busy_ratio,
    source,
    utc_offset_s,
    rate_io AS total_io_rate,
    resp AS total_response_ms,
    file_id,
    line AS place
FROM (
    SELECT q.*, CASE WHEN queued = 0 OR serv <> printed_serv THEN serv + queued ELSE time_resp END AS resp
    FROM (
        -- printed times are rounded: a response a little below the service means no wait
        SELECT l.*, CASE WHEN time_resp < printed_serv THEN 0 ELSE time_resp - printed_serv END AS queued
        FROM linked l
    ) AS q
) AS waited

-- title: The box of every volume, with start and end
-- grain: one row per platform, system, volume, since
-- columns: platform, system, volume, disk, duplicates
-- column subsystem VARCHAR []: Subsystem id (SSID) that says so
-- column lcu VARCHAR []: LCU of the volume on this system then, as recorded nearest in time
-- columns: serial, control_unit_type
-- column since TIMESTAMP [UTC]: Start of the volume's time there; 1900 if it has no previous location
-- columns: until
-- column first_seen TIMESTAMP [UTC]: Start of the first interval of the volume on this system
-- columns: last_seen
-- column box VARCHAR []: Name of the box: as in box_subsystem; LCU and its number where no cache record names a subsystem; the system where there is no LCU either
-- columns: assumed_offset_s, own_clock, is_apart
-- note: This view decides which box a volume is in. Volumes with the same serial are one volume, so one system's records of its box hold for all systems. If systems name one serial in several subsystems at once, in most hours, there are several disks (two sites, a copy). Each system's disk is then where its own records place it, or in the box of its LCU without such records.
-- note: If a volume moved, or its box was replaced under the same subsystem ids, the change is placed halfway between the last interval in the old box and the first in the new one.
-- note: If no cache record names the box, systems with the same LCU number are taken to share a box. If most device numbers in use by both hold different volumes, it is another box, named LCU … of that system.
WITH located AS (
    SELECT
        platform, system, volume, subsystem, lcu,
        max(volser) AS volser, max(device) AS device, min(first_us) AS first_us, max(last_us) AS last_us
    FROM _volume_hour
    GROUP BY platform, system, volume, subsystem, lcu
),
place AS (
    SELECT
        platform, system, volume, max(volser) AS volser, max(subsystem) AS subsystem, max(lcu) AS lcu,
        max(device) AS device, count(DISTINCT lcu) AS lcus, min(first_us) AS seen_us, max(last_us) AS seen_until_us,
        platform || '/' || system || '/' || volume AS own_name
    FROM located
    GROUP BY platform, system, volume
),
-- devices that had one volume all the time: which of two was there when would have to be asked else
numbered AS (
    SELECT platform, system, lcu, device, max(volser) AS volser
    FROM place
    WHERE volser IS NOT NULL AND lcus = 1
    GROUP BY platform, system, lcu, device
    HAVING count(*) = 1
),
first_user AS (
    SELECT platform, lcu, min(system) AS system FROM numbered GROUP BY platform, lcu
),
at_odds AS (
    SELECT n.platform, n.system, n.lcu
    FROM numbered n
    JOIN first_user f ON f.platform = n.platform AND f.lcu = n.lcu AND f.system <> n.system
    JOIN numbered o ON o.platform = f.platform AND o.system = f.system AND o.lcu = f.lcu AND o.device = n.device
    GROUP BY n.platform, n.system, n.lcu
    HAVING 2 * sum(CASE WHEN o.volser <> n.volser THEN 1 ELSE 0 END) > count(*)
),
named AS (
    SELECT
        p.*,
        a.system IS NOT NULL AS is_at_odds,
        -- one volume for all systems
        coalesce(CASE WHEN a.system IS NULL THEN p.volser END, p.own_name) AS who
    FROM place p
    LEFT JOIN at_odds a ON a.platform = p.platform AND a.system = p.system AND a.lcu = p.lcu
),
home AS (
    SELECT DISTINCT n.who, l.subsystem
    FROM located l
    JOIN named n ON {{ equal("platform, system, volume", "n", "l") }}
    WHERE l.subsystem IS NOT NULL
),
-- most volumes stay: the hours of others only are looked at
moved AS (
    SELECT n.platform, n.system, n.volume, n.who
    FROM named n
    JOIN (SELECT who FROM home GROUP BY who HAVING count(*) > 1) AS m ON m.who = n.who
),
homes_seen AS (
    SELECT
        'subsystem' AS kind, n.who AS subject, s.subsystem AS what, s.in_hour,
        min(s.first_us) AS first_us, max(s.last_us) AS last_us, max(s.middle_us) AS middle_us
    FROM _volume_hour s
    JOIN moved n ON n.platform = s.platform AND n.system = s.system AND n.volume = s.volume
    WHERE s.subsystem IS NOT NULL
    GROUP BY n.who, s.subsystem, s.in_hour
    UNION ALL
    SELECT
        'lcu' AS kind, n.own_name AS subject, s.lcu AS what, s.in_hour,
        min(s.first_us) AS first_us, max(s.last_us) AS last_us, max(s.middle_us) AS middle_us
    FROM _volume_hour s
    JOIN named n ON n.platform = s.platform AND n.system = s.system AND n.volume = s.volume
    WHERE s.lcu IS NOT NULL AND n.lcus > 1
    GROUP BY n.own_name, s.lcu, s.in_hour
),
{{ periods("homes_seen") }},
-- systems name one serial in several subsystems at once: disks of one name, of two sites or a copy
own_place AS (
    SELECT platform, system, volume, who, subsystem
    FROM (
        SELECT
            n.platform, n.system, n.volume, n.who, s.subsystem,
            row_number() OVER (PARTITION BY n.platform, n.system, n.volume ORDER BY count(*) DESC, s.subsystem) AS place
        FROM named n
        JOIN at_once a ON a.kind = 'subsystem' AND a.subject = n.who
        JOIN _volume_hour s ON s.platform = n.platform AND s.system = n.system AND s.volume = n.volume
        WHERE s.subsystem IS NOT NULL
        GROUP BY n.platform, n.system, n.volume, n.who, s.subsystem
    ) AS by_hours
    WHERE place = 1
),
serial_twice AS (
    SELECT who, array_join(sort_array(collect_set(subsystem || ' by ' || system)), '|') AS duplicates
    FROM own_place
    GROUP BY who
    HAVING min(subsystem) <> max(subsystem)
),
-- when anything of a volume changes on any system
change AS (
    SELECT who, unix_micros({{ beginning_of_time() }}) AS since_us FROM named
    UNION
    SELECT n.who, t.since_us
    FROM turn t
    JOIN named n ON t.subject = CASE t.kind WHEN 'lcu' THEN n.own_name ELSE n.who END
    UNION
    SELECT h.who, unix_micros(b.since) AS since_us
    FROM home h
    JOIN box_subsystem b ON b.subsystem = h.subsystem
    -- most boxes were never replaced
    WHERE b.since > {{ beginning_of_time() }}
),
stay AS (
    SELECT
        who, since_us,
        coalesce(
            lead(since_us) OVER (PARTITION BY who ORDER BY since_us), unix_micros({{ end_of_time() }})
        ) AS until_us
    FROM change
),
then_at AS (
    SELECT
        n.platform, n.system, n.volume, n.volser, n.is_at_odds, n.seen_us, n.seen_until_us, y.since_us, y.until_us,
        w.duplicates,
        -- a system whose disk is unknown stands alone
        CASE WHEN w.who IS NULL THEN n.who ELSE n.who || coalesce(' in ' || o.subsystem, ' of ' || n.system) END AS who,
        CASE WHEN w.who IS NULL THEN coalesce(s.what, n.subsystem) ELSE o.subsystem END AS own_subsystem,
        coalesce(l.what, n.lcu) AS lcu
    FROM named n
    JOIN stay y ON y.who = n.who
    LEFT JOIN serial_twice w ON w.who = n.who
    LEFT JOIN own_place o ON o.platform = n.platform AND o.system = n.system AND o.volume = n.volume
    LEFT JOIN turn s
        ON s.subject = n.who AND s.kind = 'subsystem' AND s.since_us <= y.since_us AND y.since_us < s.until_us
    LEFT JOIN turn l ON l.subject = n.own_name AND l.kind = 'lcu' AND l.since_us <= y.since_us AND y.since_us < l.until_us
),
one_volume AS (
    SELECT who, since_us, max(own_subsystem) AS subsystem, min(lcu) AS lcu, min(system) AS system
    FROM then_at
    GROUP BY who, since_us
),
housed AS (
    SELECT
        p.*, o.subsystem, b.serial, b.control_unit_type,
        CASE WHEN p.duplicates IS NULL THEN p.volser ELSE p.who END AS disk,
        coalesce(
            b.box, 'LCU ' || CASE WHEN p.is_at_odds THEN p.lcu || ' of ' || p.system END, 'LCU ' || o.lcu, o.system
        ) AS home
    FROM then_at p
    JOIN one_volume o ON o.who = p.who AND o.since_us = p.since_us
    LEFT JOIN box_subsystem b
        ON b.subsystem = o.subsystem AND unix_micros(b.since) <= p.since_us AND p.since_us < unix_micros(b.until)
),
-- what a system covers by its own clock
stretch AS (
    SELECT
        platform, system, offset_s,
        max(offset_s) OVER (PARTITION BY platform, system) AS known_s,
        first_us + coalesce(CAST(offset_s AS BIGINT), 0) * 1000000 AS first_us,
        last_us + coalesce(CAST(offset_s AS BIGINT), 0) * 1000000 AS last_us
    FROM (
        SELECT
            platform, system, offset_s,
            min(unix_micros(interval_start)) AS first_us,
            max(unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT)) AS last_us
        FROM _volume_clock
        WHERE interval_s > 0
        GROUP BY platform, system, offset_s
    ) AS span_of_system
),
user_of_box AS (
    SELECT DISTINCT home AS box, platform, system FROM housed
),
-- listings without an offset from UTC, with the systems of the box that have one: do both cover the same hours?
clockless AS (
    SELECT
        m.box, u.platform, u.system,
        min(CASE WHEN abs(k.first_us - u.first_us) < 450000000 AND abs(k.last_us - u.last_us) < 450000000 THEN k.offset_s END)
            AS least_s,
        max(CASE WHEN abs(k.first_us - u.first_us) < 450000000 AND abs(k.last_us - u.last_us) < 450000000 THEN k.offset_s END)
            AS most_s
    FROM stretch u
    JOIN user_of_box m ON m.platform = u.platform AND m.system = u.system
    JOIN user_of_box o ON o.box = m.box
    JOIN stretch k ON {{ equal("platform, system", "k", "o") }}
        AND k.first_us - 86400000000 < u.last_us AND k.last_us + 86400000000 > u.first_us
    WHERE u.known_s IS NULL AND k.offset_s IS NOT NULL
    GROUP BY m.box, u.platform, u.system
),
settled AS (
    SELECT platform, system, min(least_s) AS offset_s
    FROM clockless
    GROUP BY platform, system
    HAVING min(least_s) = max(most_s)
)
SELECT
    h.*,
    CAST(timestamp_micros(h.since_us) AS TIMESTAMP) AS since,
    CAST(timestamp_micros(h.until_us) AS TIMESTAMP) AS until,
    CAST(timestamp_micros(h.seen_us) AS TIMESTAMP) AS first_seen,
    CAST(timestamp_micros(h.seen_until_us) AS TIMESTAMP) AS last_seen,
    CASE WHEN a.box IS NOT NULL AND s.system IS NULL THEN h.home || ' by the clock of ' || h.system ELSE h.home END AS box,
    s.offset_s AS assumed_offset_s,
    a.box IS NOT NULL AND s.system IS NULL AS own_clock,
    a.box IS NOT NULL AND s.system IS NULL
        AND count(CASE WHEN a.box IS NULL OR s.system IS NOT NULL THEN h.volser END) OVER (PARTITION BY h.volser) > 0
        AS is_apart
FROM housed h
LEFT JOIN clockless a ON a.box = h.home AND a.platform = h.platform AND a.system = h.system
LEFT JOIN settled s ON s.platform = h.platform AND s.system = h.system

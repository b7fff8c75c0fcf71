-- fragment: homes of volumes
-- Where every volume was at which time, and the box it was in then. Among common table expressions: gives housed, a row
-- per platform, system, volume and since_us.
seen AS (
    SELECT
        platform, system, volume, subsystem, lcu, /* hour of interval_start */ AS in_hour,
        max(volser) AS volser,
        max(device) AS device,
        /* moments of an hour's intervals */
    FROM volume_interval
    GROUP BY platform, system, volume, subsystem, lcu, /* hour of interval_start */
),
place AS (
    SELECT
        platform, system, volume, max(volser) AS volser, max(subsystem) AS subsystem, max(lcu) AS lcu,
        max(device) AS device, count(DISTINCT lcu) AS lcus, platform || '/' || system || '/' || volume AS own_name
    FROM seen
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
told AS (
    SELECT
        'subsystem' AS kind, n.who AS subject, s.subsystem AS what, s.in_hour,
        min(s.first_us) AS first_us, max(s.last_us) AS last_us, max(s.middle_us) AS middle_us
    FROM seen s
    JOIN named n ON n.platform = s.platform AND n.system = s.system AND n.volume = s.volume
    WHERE s.subsystem IS NOT NULL
    GROUP BY n.who, s.subsystem, s.in_hour
    UNION ALL
    SELECT
        'lcu' AS kind, n.own_name AS subject, s.lcu AS what, s.in_hour,
        min(s.first_us) AS first_us, max(s.last_us) AS last_us, max(s.middle_us) AS middle_us
    FROM seen s
    JOIN named n ON n.platform = s.platform AND n.system = s.system AND n.volume = s.volume
    WHERE s.lcu IS NOT NULL AND n.lcus > 1
    GROUP BY n.own_name, s.lcu, s.in_hour
),
/* turns of told */,
-- systems name one serial in several subsystems at once: disks of one name, of two sites or a copy
own_place AS (
    SELECT platform, system, volume, who, subsystem
    FROM (
        SELECT
            n.platform, n.system, n.volume, n.who, s.subsystem,
            row_number() OVER (PARTITION BY n.platform, n.system, n.volume ORDER BY count(*) DESC, s.subsystem) AS place
        FROM named n
        JOIN at_once a ON a.kind = 'subsystem' AND a.subject = n.who
        JOIN seen s ON s.platform = n.platform AND s.system = n.system AND s.volume = n.volume
        WHERE s.subsystem IS NOT NULL
        GROUP BY n.platform, n.system, n.volume, n.who, s.subsystem
    ) AS by_hours
    WHERE place = 1
),
twin AS (
    SELECT who, array_join(sort_array(collect_set(subsystem || ' by ' || system)), '|') AS twins
    FROM own_place
    GROUP BY who
    HAVING min(subsystem) <> max(subsystem)
),
-- when anything of a volume changes on any system
change AS (
    SELECT who, unix_micros(/* the beginning of time */) AS since_us FROM named
    UNION
    SELECT n.who, t.since_us
    FROM turn t
    JOIN named n ON t.subject = CASE t.kind WHEN 'lcu' THEN n.own_name ELSE n.who END
    UNION
    SELECT t.subject AS who, unix_micros(b.since) AS since_us
    FROM told t
    JOIN box_subsystem b ON b.subsystem = t.what
    -- most boxes were never replaced
    WHERE t.kind = 'subsystem' AND b.since > /* the beginning of time */
),
stay AS (
    SELECT
        who, since_us,
        coalesce(
            lead(since_us) OVER (PARTITION BY who ORDER BY since_us), unix_micros(/* the end of time */)
        ) AS until_us
    FROM change
),
then_at AS (
    SELECT
        n.platform, n.system, n.volume, n.volser, n.is_at_odds, y.since_us, y.until_us, w.twins,
        -- of whom nothing tells which of the disks it uses stands alone
        CASE WHEN w.who IS NULL THEN n.who ELSE n.who || coalesce(' in ' || o.subsystem, ' of ' || n.system) END AS who,
        CASE WHEN w.who IS NULL THEN coalesce(s.what, n.subsystem) ELSE o.subsystem END AS subsystem,
        coalesce(l.what, n.lcu) AS lcu
    FROM named n
    JOIN stay y ON y.who = n.who
    LEFT JOIN twin w ON w.who = n.who
    LEFT JOIN own_place o ON o.platform = n.platform AND o.system = n.system AND o.volume = n.volume
    LEFT JOIN turn s
        ON s.subject = n.who AND s.kind = 'subsystem' AND s.since_us <= y.since_us AND y.since_us < s.until_us
    LEFT JOIN turn l ON l.subject = n.own_name AND l.kind = 'lcu' AND l.since_us <= y.since_us AND y.since_us < l.until_us
),
one_volume AS (
    SELECT who, since_us, max(subsystem) AS subsystem, min(lcu) AS lcu, min(system) AS system
    FROM then_at
    GROUP BY who, since_us
),
housed AS (
    SELECT
        p.platform,
        p.system,
        p.volume,
        p.volser,
        p.since_us,
        p.until_us,
        p.twins,
        CASE WHEN p.twins IS NULL THEN p.volser ELSE p.who END AS disk,
        o.subsystem,
        p.lcu,
        coalesce(
            b.box, 'LCU ' || CASE WHEN p.is_at_odds THEN p.lcu || ' of ' || p.system END, 'LCU ' || o.lcu, o.system
        ) AS box,
        b.serial,
        b.control_unit_type
    FROM then_at p
    JOIN one_volume o ON o.who = p.who AND o.since_us = p.since_us
    LEFT JOIN box_subsystem b
        ON b.subsystem = o.subsystem AND unix_micros(b.since) <= p.since_us AND p.since_us < unix_micros(b.until)
)

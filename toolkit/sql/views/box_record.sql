-- reach: a day
-- title: Usable 74.8 records that count (see left_out), one system kept per box and interval
-- grain: one row per record_id
-- column record_id BIGINT []: The 74.8 record
-- columns: system
-- column box VARCHAR []: Serial number of the box without leading zeros = R748CSER (medium)
-- column interval_start TIMESTAMP [UTC]: Start of the time that the statistics cover = SMF74IST; SMF74IST + SMF74INT - R748CINT if R748CINT differs from SMF74INT by more than a tenth (medium)
-- column interval_s DOUBLE [s]: Seconds the statistics cover = R748CINT
-- columns: utc_offset_s
-- column extended BOOLEAN []: The extended extent pool fields are valid = R748CFLG bit CXVL
-- column kept BOOLEAN []: This record's system is the one kept = no system with a lower name gathered the box in an interval around this one's middle, and no record of its own repeats the same ranks, links or pools
-- note: Records with R748CSC, R748CRTN or R748CIOC other than 0 carry no statistics and are left out.
-- note: The counters are the box's and cover all systems, so those of several systems are never added up.
WITH control AS (
    SELECT
        record_id,
        max(nullif(trim(LEADING '0' FROM R748CSER), '')) AS box,
        CAST(nullif(max(R748CINT), 0) AS DOUBLE) AS interval_s,
        bool_or(R748CFLG_CXVL) AS extended
    FROM smf74_8_control
    GROUP BY record_id
    HAVING max(R748CSC) = 0 AND max(R748CRTN) = 0 AND max(R748CIOC) = 0
),
head AS (
    SELECT
        record_id,
        min(system) AS system,
        min(interval_start) AS record_start,
        max(interval_s) AS record_s,
        max(utc_offset_s) AS utc_offset_s
    FROM smf74_8_record
    GROUP BY record_id
),
-- the subjects of a record; two records with the same subjects are one measurement in two files
recorded AS (
    SELECT record_id, 'rank' AS kind, R748RRID AS number FROM smf74_8_rank
    UNION
    SELECT record_id, 'link', R748LAID FROM smf74_8_link_statistics
    UNION
    SELECT record_id, 'pool', R748XPID FROM smf74_8_extent_pool
),
usable AS (
    SELECT
        h.*, c.box, c.interval_s, c.extended,
        {{ start_of_statistics("c.interval_s", "h.record_s", "h.record_start") }} AS interval_start
    FROM head h
    JOIN control c ON c.record_id = h.record_id
    WHERE c.box IS NOT NULL AND c.interval_s IS NOT NULL
),
record AS (
    SELECT u.*
    FROM usable u
    {{ join_left_out("'z/OS'", "'box'", "u.box", "u.box", "u.interval_start", "u.interval_s") }}
    WHERE x.subject IS NULL
),
repeated AS (
    SELECT DISTINCT mine.record_id
    FROM record mine
    JOIN record other ON {{ equal("box, system, record_start", "other", "mine") }}
    JOIN recorded t ON t.record_id = mine.record_id
    JOIN recorded o ON o.record_id = other.record_id AND o.kind = t.kind AND o.number = t.number
    WHERE other.interval_s > mine.interval_s
        OR (other.interval_s = mine.interval_s AND other.record_id < mine.record_id)
),
{{ timed_by_slots("record") }},
beaten AS (
    SELECT DISTINCT mine.record_id
    FROM timed mine
    JOIN reach other ON other.box = mine.box AND other.slot = floor(mine.middle_us / mine.slot_us)
    WHERE other.system < mine.system
        AND mine.middle_us >= other.start_us
        AND mine.middle_us < other.end_us
)
SELECT r.*, b.record_id IS NULL AND p.record_id IS NULL AS kept
FROM record r
LEFT JOIN beaten b ON b.record_id = r.record_id
LEFT JOIN repeated p ON p.record_id = r.record_id

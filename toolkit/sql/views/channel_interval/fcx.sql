-- source: fcx215, fcx161
-- formula channel_path: CHPID (medium)
-- formula type: FCX161 Chan-Group Descr (low)
-- formula busy_ratio: FCX215 Total for System Work Units / 100; FCX161 %Busy Ave / 100 if the distribution has such a mean (low)
-- formula partition_busy_ratio: FCX215 Own Partition Work Units / 100 (low)
-- formula bus_busy_ratio: FCX215 Total for System Bus Cycles / 100 (low)
-- formula read_bytes_rate: FCX215 total bytes/s read (low)
-- formula write_bytes_rate: FCX215 total bytes/s written (low)
-- formula source: fcx215, fcx161, or both joined by a plus sign (high)
-- note: For a channel in both reports at a time the rows of FCX215 count, each with the type that FCX161 has for a span around it.
-- note: %Busy Ave is of all samples since the counters were reset. The distribution bands, of the same samples, check that it is of this page's span: their limits must allow such a mean, or busy_ratio is NULL. %Busy Cur is not used: it is of the last sample, and no page gives its length.
WITH
{% for name, report in [("ficon", "fcx215"), ("path_load", "fcx161")] %}
{{ name }} AS (
    SELECT
        c.*,
        l.interval_start AS start,
        l.utc_offset_s AS offset_s,
        row_number() OVER (
            PARTITION BY c.system, l.interval_start, c.chpid ORDER BY c.interval_s, c.file_id, c.line
        ) AS copy
    FROM {{ report }} c
    {{ join_listing_clock("c", "'z/VM'") }}
),
{% endfor %}
banded AS (
    SELECT
        *,
        -- whole percents are printed: the least mean the bands allow; the greatest is 12 above
        (11 * share_11_20 + 21 * share_21_30 + 31 * share_31_40 + 41 * share_41_50 + 51 * share_51_60
            + 61 * share_61_70 + 71 * share_71_80 + 81 * share_81_90 + 91 * share_91_100) / 100 - 1 AS least
    FROM path_load
    WHERE copy = 1
),
both_reports AS (
    SELECT
        f.*, l.descr, l.file_id AS load_file, l.line AS load_line,
        row_number() OVER (
            PARTITION BY f.system, f.start, f.chpid ORDER BY l.interval_s, l.file_id, l.line
        ) AS nearest
    FROM (SELECT * FROM ficon WHERE copy = 1) f
    LEFT JOIN banded l
        ON l.system = f.system
        AND l.chpid = f.chpid
        AND unix_micros(l.start) <= unix_micros(f.start)
        AND unix_micros(l.start) + l.interval_s * 1e6 > unix_micros(f.start)
),
printed AS (
    SELECT
        system, start, interval_s, chpid, descr, total_work_units AS busy, own_work_units AS own_busy,
        total_bus_cycles AS bus_busy, bytes_read, bytes_write, offset_s,
        CASE WHEN load_file IS NULL THEN 'fcx215' ELSE 'fcx215+fcx161' END AS source, file_id, line
    FROM both_reports
    WHERE nearest = 1
    UNION ALL
    SELECT
        l.system, l.start, l.interval_s, l.chpid, l.descr,
        CASE WHEN l.busy_ave >= l.least AND l.busy_ave <= l.least + 12 THEN l.busy_ave END,
        NULL, NULL, NULL, NULL, l.offset_s, 'fcx161', l.file_id, l.line
    FROM banded l
    LEFT JOIN both_reports f ON f.load_file = l.file_id AND f.load_line = l.line
    WHERE f.load_file IS NULL
)
SELECT
    system,
    start AS interval_start,
    interval_s,
    chpid AS channel_path,
    descr AS type,
    busy / 100 AS busy_ratio,
    own_busy / 100 AS partition_busy_ratio,
    bus_busy / 100 AS bus_busy_ratio,
    bytes_read AS read_bytes_rate,
    bytes_write AS write_bytes_rate,
    offset_s AS utc_offset_s,
    source, file_id, line AS place
FROM printed

-- feeds: channel_interval
-- source: fcx215, fcx161
-- formula platform: constant z/VM (high)
-- formula system: system id of the page heading (medium)
-- formula interval_start: From of the page heading, brought to UTC by listing_interval where the system's monitor data tell its offset (medium)
-- formula interval_s: Secs of the page heading (medium)
-- formula channel_path: CHPID (medium)
-- formula type: FCX161 Chan-Group Descr (low)
-- formula busy_ratio: FCX215 Total for System Work Units / 100; FCX161 %Busy Cur / 100 (low)
-- formula partition_busy_ratio: FCX215 Own Partition Work Units / 100 (low)
-- formula bus_busy_ratio: FCX215 Total for System Bus Cycles / 100 (low)
-- formula read_bytes_rate: FCX215 total bytes/s read (low)
-- formula write_bytes_rate: FCX215 total bytes/s written (low)
-- formula utc_offset_s: that of the system's monitor data near that time; NULL if there are none (medium)
-- formula source: fcx215, fcx161, or both joined by a plus sign (high)
-- note: A channel in both reports gives one row: FCX215's figures with FCX161's type.
WITH ficon AS (
    SELECT
        c.*,
        l.interval_start AS start,
        l.utc_offset_s AS offset_s,
        row_number() OVER (
            PARTITION BY c.system, l.interval_start, c.chpid ORDER BY c.interval_s, c.file_id, c.line
        ) AS copy
    FROM fcx215 c
    /* listing_interval of c in 'z/VM' 'channel' reports */
),
path_load AS (
    SELECT
        c.*,
        l.interval_start AS start,
        l.utc_offset_s AS offset_s,
        row_number() OVER (
            PARTITION BY c.system, l.interval_start, c.chpid ORDER BY c.interval_s, c.file_id, c.line
        ) AS copy
    FROM fcx161 c
    /* listing_interval of c in 'z/VM' 'channel' reports */
)
SELECT
    'z/VM' AS platform,
    coalesce(f.system, l.system) AS system,
    coalesce(f.start, l.start) AS interval_start,
    coalesce(f.interval_s, l.interval_s) AS interval_s,
    coalesce(f.chpid, l.chpid) AS channel_path,
    l.descr AS type,
    coalesce(f.total_work_units, l.busy_cur) / 100 AS busy_ratio,
    f.own_work_units / 100 AS partition_busy_ratio,
    f.total_bus_cycles / 100 AS bus_busy_ratio,
    f.bytes_read AS read_bytes_rate,
    f.bytes_write AS write_bytes_rate,
    coalesce(f.offset_s, l.offset_s) AS utc_offset_s,
    CASE WHEN l.chpid IS NULL THEN 'fcx215' WHEN f.chpid IS NULL THEN 'fcx161' ELSE 'fcx215+fcx161' END AS source,
    coalesce(f.file_id, l.file_id) AS file_id,
    CASE WHEN f.file_id IS NULL THEN l.line ELSE f.line END AS place
FROM (SELECT * FROM ficon WHERE copy = 1) f
FULL OUTER JOIN (SELECT * FROM path_load WHERE copy = 1) l
    ON l.system = f.system AND l.start = f.start AND l.chpid = f.chpid

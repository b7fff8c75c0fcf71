-- source: fcx111, fcx177, fcx176, fcx110
-- formula subsystem: DIR, if it has four hex digits (low)
-- formula device: 0 and ADDR (medium)
-- formula volser: VOLSER (medium)
-- formula read_rate: IO/S * %READ / 100 (low)
-- formula write_rate: IO/S * (100 - %READ) / 100 (low)
-- formula read_ratio: %READ / 100 (medium)
-- formula read_hit_ratio: %RDHIT / 100 (medium)
-- formula write_hit_ratio: %WRHIT / 100 (medium)
-- formula read_count: read_rate * interval_s (low)
-- formula write_count: write_rate * interval_s (low)
-- formula read_hit_count: read_count * %RDHIT / 100 (low)
-- formula write_hit_count: write_count * %WRHIT / 100 (low)
-- formula inhibit_rate: ICL/S (medium)
-- formula bypass_rate: BYP/S (medium)
-- formula stage_rate: STAGE/S of FCX177 (low)
-- formula destage_rate: DESTAGE/S of FCX177 (low)
-- formula source: fcx111, fcx177, fcx176 or fcx110 (high)
-- note: Left out where monitor data (D6R4) of the system or shorter intervals of a listing hold the same time, see left_out.
-- note: If several reports print a device for the same interval, FCX111 counts, then FCX177, FCX176 and the cache row of FCX110.
-- note: Percentages are printed in whole numbers or to one decimal; counts made from them carry that precision.
WITH printed AS (
    {% for table in ("fcx111", "fcx177", "fcx176", "fcx110_cache") %}
    {{ "UNION ALL" if not loop.first }}
    SELECT
        '{{ table[:6] }}' AS source, {{ loop.index }} AS place, file_id, line, system, interval_start, utc_offset_s, interval_s,
        dir, addr, volser, io_s, read, rdhit, wrhit, icl_s, byp_s,
        {{ "stage_s, destage_s" if table == "fcx177" else "NULL AS stage_s, NULL AS destage_s" }}
    FROM {{ table }}
    {% endfor %}
),
ranked AS (
    SELECT
        c.*,
        l.interval_start AS start,
        l.utc_offset_s AS offset_s,
        row_number() OVER (
            PARTITION BY l.interval_start, c.dir, c.addr ORDER BY c.interval_s, c.place, c.system, c.file_id, c.line
        ) AS copy
    FROM printed c
    {{ join_listing("c", "'z/VM'", "'cache'", "c.system", "c.system") }}
    WHERE x.subject IS NULL
)
SELECT
    start AS interval_start,
    interval_s,
    CASE WHEN length(dir) = 4 THEN dir END AS subsystem,
    lpad(addr, 5, '0') AS device,
    nullif(volser, '') AS volser,
    io_s * read / 100 AS read_rate,
    io_s * (100 - read) / 100 AS write_rate,
    read / 100 AS read_ratio,
    rdhit / 100 AS read_hit_ratio,
    wrhit / 100 AS write_hit_ratio,
    io_s * read / 100 * interval_s AS read_count,
    io_s * (100 - read) / 100 * interval_s AS write_count,
    io_s * read / 100 * interval_s * rdhit / 100 AS read_hit_count,
    io_s * (100 - read) / 100 * interval_s * wrhit / 100 AS write_hit_count,
    icl_s AS inhibit_rate,
    byp_s AS bypass_rate,
    system,
    offset_s AS utc_offset_s,
    stage_s AS stage_rate,
    destage_s AS destage_rate,
    source, file_id, line AS place
FROM ranked
WHERE copy = 1

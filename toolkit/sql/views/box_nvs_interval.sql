-- title: Boxes with full NVS: delayed writes, destage and estimated delay, interval by interval
-- grain: one row per box, interval_start
-- column box VARCHAR []: Box, see box_subsystem
-- columns: serial, control_unit_type
-- column interval_start TIMESTAMP [UTC]: Start of the box's interval, see cache_box_alignment
-- columns: interval_s
-- column subsystem VARCHAR []: First subsystem of the box
-- column nvs_delay_count DOUBLE [events in the interval]: Fast writes delayed for lack of NVS, all subsystems
-- columns: write_count
-- column late_write_count DOUBLE [events in the interval]: Writes to the subsystems with delayed writes
-- column nvs_delay_ratio DOUBLE [ratio 0..1]: Delayed writes over writes
-- columns: destage_rate
-- column destage_rate_max DOUBLE [per second]: Highest of all intervals of the box
-- column as_busy_free BIGINT []: Intervals in which fewer than one write in a thousand was delayed, with as many tracks destaged per second and nine tenths of the writes as the mean of those in which more were delayed at nine tenths of its highest rate or above; NULL where the latter are more, or these are fewer than four: the box may have a ceiling there
-- column at_ceiling BOOLEAN []: The box destages at least nine tenths of its highest rate, all it can; a level that it reaches as often without delayed writes is none (as_busy_free)
-- column steady_ratio DOUBLE [ratio 0..1]: Delayed writes over writes in this interval and in one that adjoins it, both at the ceiling: the less of the two; NULL where there are no two
-- columns: nvs_bytes
-- column lost_s DOUBLE [s]: I/O time that the lack of NVS cost, see nvs_delay; NULL if that of a subsystem with delayed writes is unknown
-- column lost_low_s DOUBLE [s]: Low bound
-- column lost_high_s DOUBLE [s]: High bound
-- column disc_share_ratio DOUBLE [ratio 0..1]: Share of disconnect time, worst subsystem
-- column coverage_ratio DOUBLE [ratio]: I/O rate of the systems read over the control unit's, see nvs_delay: the least of the subsystems with delayed writes
-- column span_s DOUBLE [s]: Seconds measured of the box, all intervals
-- columns: utc_offset_s
-- column unknown_reason VARCHAR []: Why lost_s is unknown, as method of nvs_delay has it; NULL if it is known
-- note: In a steady overload writes are delayed over several intervals while destage is at its highest; otherwise delays come in bursts. For a given threshold, an interval is overloaded if nvs_delay_ratio reaches it, and steady if steady_ratio does.
WITH cost AS (
    SELECT
        coalesce(b.box, c.subsystem) AS box,
        b.serial, b.control_unit_type, c.subsystem,
        coalesce(a.box_interval_start, c.interval_start) AS interval_start,
        coalesce(a.box_interval_s, c.interval_s) AS interval_s,
        coalesce(c.interval_s, 1) AS weight_s,
        c.utc_offset_s, c.nvs_delay_count, c.write_count, c.destage_rate, c.nvs_bytes,
        n.delay_ms_per_write * c.write_count / 1000 AS lost_s,
        n.delay_ms_per_write_low * c.write_count / 1000 AS lost_low_s,
        n.delay_ms_per_write_high * c.write_count / 1000 AS lost_high_s,
        n.disc_share_ratio,
        CASE WHEN n.nvs_delay_count > 0 THEN n.coverage_ratio END AS coverage_ratio,
        CASE WHEN n.nvs_delay_count > 0 AND n.delay_ms_per_write IS NULL THEN n.method END AS unknown_reason
    FROM cache_subsystem_interval c
    LEFT {{ join_box_then("b", "c") }}
    LEFT JOIN cache_box_alignment a ON {{ equal("platform, system, subsystem, interval_start", "a", "c") }}
    LEFT JOIN nvs_delay n ON n.subsystem = c.subsystem AND n.interval_start = c.interval_start
),
-- several intervals of a subsystem may lie in one of the box: counts add up, a rate is their mean
by_subsystem AS (
    SELECT
        box, interval_start, subsystem,
        {{ each("sum(NAME)", "nvs_delay_count write_count") }},
        {{ mean_of("destage_rate", "weight_s") }} AS destage_rate,
        {{ each("CASE WHEN count(unknown_reason) = 0 THEN sum(NAME) END", "lost_s lost_low_s lost_high_s") }},
        min(coverage_ratio) AS coverage_ratio,
        {{ each("max(NAME)", "serial control_unit_type interval_s nvs_bytes disc_share_ratio unknown_reason utc_offset_s") }}
    FROM cost
    GROUP BY box, interval_start, subsystem
),
summed AS (
    SELECT
        box, interval_start,
        min(subsystem) AS subsystem,
        {{ each("sum(NAME)", "nvs_delay_count write_count") }},
        sum(CASE WHEN nvs_delay_count > 0 THEN write_count END) AS late_write_count,
        sum(nvs_delay_count) / nullif(sum(write_count), 0) AS nvs_delay_ratio,
        sum(destage_rate) AS destage_rate,
        {{ each("CASE WHEN count(unknown_reason) = 0 THEN sum(NAME) END", "lost_s lost_low_s lost_high_s") }},
        min(coverage_ratio) AS coverage_ratio,
        {{ each("max(NAME)", "serial control_unit_type interval_s nvs_bytes disc_share_ratio unknown_reason utc_offset_s") }}
    FROM by_subsystem
    GROUP BY box, interval_start
),
levelled AS (
    SELECT
        s.*,
        unix_micros(interval_start) AS start_us,
        unix_micros(interval_start) + CAST(interval_s * 1000000 AS BIGINT) AS end_us,
        max(destage_rate) OVER (PARTITION BY box) AS destage_rate_max,
        sum(interval_s) OVER (PARTITION BY box) AS span_s,
        destage_rate >= 0.9 * max(destage_rate) OVER (PARTITION BY box) AS is_high,
        nvs_delay_ratio >= 0.001 AS is_delayed,
        write_count / nullif(interval_s, 0) AS write_rate
    FROM summed s
),
-- the load under which writes were delayed while the box destaged as much as ever
busy AS (
    SELECT box, avg(destage_rate) AS destage_rate, avg(write_rate) AS write_rate, count(*) AS intervals
    FROM levelled
    WHERE is_high AND is_delayed
    GROUP BY box
),
reached AS (
    SELECT b.box, count(*) AS as_busy_free
    FROM busy b
    JOIN levelled l
        ON l.box = b.box AND NOT l.is_delayed AND l.destage_rate >= b.destage_rate
        AND l.write_rate >= 0.9 * b.write_rate
    GROUP BY b.box, b.intervals
    -- one or two may be chance
    HAVING count(*) >= greatest(b.intervals, 4)
),
capped AS (
    SELECT
        l.*, r.as_busy_free, l.is_high AND r.box IS NULL AS at_ceiling,
        CASE WHEN l.is_high AND r.box IS NULL THEN l.nvs_delay_ratio END AS ceiling_ratio
    FROM levelled l
    LEFT JOIN reached r ON r.box = l.box
),
adjacent AS (
    SELECT
        c.*,
        CASE WHEN start_us <= lag(end_us) OVER w THEN lag(ceiling_ratio) OVER w END AS before_ratio,
        CASE WHEN lead(start_us) OVER w <= end_us THEN lead(ceiling_ratio) OVER w END AS after_ratio
    FROM capped c
    WINDOW w AS (PARTITION BY box ORDER BY start_us)
)
SELECT
    *,
    CASE WHEN ceiling_ratio IS NOT NULL AND coalesce(before_ratio, after_ratio) IS NOT NULL
        THEN least(ceiling_ratio, greatest(coalesce(before_ratio, after_ratio), coalesce(after_ratio, before_ratio)))
        END AS steady_ratio
FROM adjacent

-- layer: promised
-- title: Cost of full NVS: time of delayed fast writes
-- grain: one row per interval_start, subsystem
-- columns: interval_start, interval_s, subsystem, nvs_delay_count, nvs_delay_ratio
-- column delay_ms_per_delayed_write DOUBLE [milliseconds]: Estimated disconnect time a delayed write owes to the lack of NVS = nvs share of disconnect time / delayed writes
-- column delay_ms_per_delayed_write_low DOUBLE [milliseconds]: Low bound
-- column delay_ms_per_delayed_write_high DOUBLE [milliseconds]: High bound
-- column delay_ms_per_write DOUBLE [milliseconds]: The same spread over all writes
-- column delay_ms_per_write_low DOUBLE [milliseconds]: Low bound
-- column delay_ms_per_write_high DOUBLE [milliseconds]: High bound
-- column disc_share_ratio DOUBLE [ratio 0..1]: Estimated share of the subsystem's disconnect time, all systems
-- column disc_share_ratio_low DOUBLE [ratio 0..1]: Low bound
-- column disc_share_ratio_high DOUBLE [ratio 0..1]: High bound
-- column method VARCHAR []: none delayed, quiet intervals, equal shares; where the time is unknown: no device data, several boxes, more I/Os than counted (the last two: doubt of cache_user_interval)
-- column disc_ms_rate DOUBLE [milliseconds per second]: Disconnect time of the subsystem's devices, all systems read; NULL where that may be another box's
-- column read_miss_rate DOUBLE [per second]: Reads not found in cache
-- column coverage_ratio DOUBLE [ratio]: I/O rate of the systems read over the control unit's: well below 1 means that other systems, not read, share it; their I/Os are taken to disconnect like those read, and within the bounds not at all or as long as those of the volume with the longest disconnect (of volumes with an I/O per second)
-- columns: system, utc_offset_s
-- note: The record counts delayed writes; it does not time them. The time is inferred from disconnect time, which read misses, remote copy and busy arrays also cause. See docs/explanation/formulas.md.
WITH copied AS (
    -- of subsystems with a mirror, its writes, and what their read misses take in the back end
    SELECT
        platform, system, interval_start, subsystem,
        sum(CASE WHEN {{ is_mirrored("c") }} THEN write_rate END) AS copied_rate,
        {{ mean_of("disk_read_ms", "disk_read_rate") }} AS disk_read_ms
    FROM cache_interval c
    WHERE subsystem IN (SELECT subsystem FROM cache_subsystem_interval WHERE nvs_delay_count > 0)
    GROUP BY platform, system, interval_start, subsystem
    HAVING bool_or({{ is_mirrored("c") }})
),
counted AS (
    SELECT
        c.interval_start, c.interval_s, c.subsystem, c.system, c.utc_offset_s,
        c.nvs_delay_count, c.nvs_delay_rate, c.nvs_delay_ratio, c.write_rate, c.io_count,
        (c.read_count - c.read_hit_count) / nullif(c.interval_s, 0) AS read_miss_rate,
        p.copied_rate IS NOT NULL AS is_copied,
        CASE
            WHEN p.copied_rate IS NULL THEN 0
            ELSE coalesce((c.read_count - c.read_hit_count) / nullif(c.interval_s, 0) * p.disk_read_ms, 0)
        END AS miss_ms_rate,
        coalesce(p.copied_rate, (c.read_count - c.read_hit_count) / nullif(c.interval_s, 0)) AS slow_rate,
        coalesce(trim(LEADING '0' FROM c.serial), '') AS box,
        u.io_rate, u.doubt,
        CASE WHEN u.doubt IS NULL THEN u.disc_ms_rate END AS disc_ms_rate,
        CASE WHEN u.doubt IS NULL THEN u.disc_ms_rate / nullif(u.io_rate, 0) END AS disc_ms,
        u.longest_ms,
        at_least_0(c.io_count / nullif(c.interval_s, 0) - u.io_rate) AS unread_rate
    FROM cache_subsystem_interval c
    LEFT JOIN cache_user_interval u ON {{ equal("platform, system, interval_start, subsystem", "u", "c") }}
    LEFT JOIN copied p ON {{ equal("platform, system, interval_start, subsystem", "p", "c") }}
),
-- disconnect of all systems: I/Os of those not read disconnect like the ones read, not at all, or as long as the longest
subsystem AS (
    SELECT
        c.*,
        disc_ms_rate + unread_rate * disc_ms AS all_ms_rate,
        disc_ms_rate AS all_ms_rate_low,
        disc_ms_rate + unread_rate * greatest(disc_ms, longest_ms) AS all_ms_rate_high
    FROM counted c
),
-- what an I/O takes that no delay explains: a mirrored write besides misses, else a read miss
quiet AS (
    SELECT
        subsystem, box, is_copied,
        count(*) AS intervals,
        percentile_cont(0.1) WITHIN GROUP (ORDER BY at_least_0(all_ms_rate_low - miss_ms_rate) / slow_rate) AS slow_ms_low,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY at_least_0(all_ms_rate - miss_ms_rate) / slow_rate) AS slow_ms,
        percentile_cont(0.9) WITHIN GROUP (ORDER BY at_least_0(all_ms_rate_high - miss_ms_rate) / slow_rate) AS slow_ms_high
    FROM subsystem
    WHERE nvs_delay_count = 0 AND slow_rate > 0 AND all_ms_rate IS NOT NULL
    GROUP BY subsystem, box, is_copied
),
judged AS (
    SELECT
        s.*,
        miss_ms_rate + slow_rate * q.slow_ms_low AS other_ms_rate_low,
        miss_ms_rate + slow_rate * q.slow_ms AS other_ms_rate,
        miss_ms_rate + slow_rate * q.slow_ms_high AS other_ms_rate_high,
        CASE
            WHEN s.nvs_delay_count IS NULL THEN NULL
            WHEN s.nvs_delay_count = 0 THEN 'none delayed'
            WHEN s.doubt IS NOT NULL THEN s.doubt
            WHEN s.all_ms_rate IS NULL THEN 'no device data'
            WHEN coalesce(q.intervals, 0) >= 4 THEN 'quiet intervals'
            ELSE 'equal shares'
        END AS method
    FROM subsystem s
    LEFT JOIN quiet q ON {{ equal("subsystem, box, is_copied", "q", "s") }}
),
shared AS (
    SELECT
        j.*,
        CASE method
            WHEN 'none delayed' THEN 0.0
            WHEN 'quiet intervals' THEN at_least_0(all_ms_rate - other_ms_rate)
            WHEN 'equal shares' THEN all_ms_rate * nvs_delay_rate / nullif(nvs_delay_rate + read_miss_rate, 0)
        END AS nvs_ms_rate,
        CASE method
            WHEN 'none delayed' THEN 0.0
            WHEN 'quiet intervals' THEN at_least_0(all_ms_rate_low - other_ms_rate_high)
            WHEN 'equal shares' THEN 0.0
        END AS nvs_ms_rate_low,
        CASE method
            WHEN 'none delayed' THEN 0.0
            WHEN 'quiet intervals' THEN at_least_0(all_ms_rate_high - other_ms_rate_low)
            WHEN 'equal shares' THEN all_ms_rate_high
        END AS nvs_ms_rate_high
    FROM judged j
)
SELECT
    *,
    {% for bound in ["", "_low", "_high"] -%}
    nvs_ms_rate{{ bound }} / nullif(nvs_delay_rate, 0) AS delay_ms_per_delayed_write{{ bound }},
    nvs_ms_rate{{ bound }} / nullif(write_rate, 0) AS delay_ms_per_write{{ bound }},
    nvs_ms_rate{{ bound }} / nullif(all_ms_rate{{ bound }}, 0) AS disc_share_ratio{{ bound }},
    {% endfor -%}
    io_rate / nullif(io_count / nullif(interval_s, 0), 0) AS coverage_ratio
FROM shared

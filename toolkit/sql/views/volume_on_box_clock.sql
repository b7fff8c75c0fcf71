-- reach: a day
-- stored: in memory
-- title: Measurements of each volume by each system, mapped to the intervals of the volume's box
-- grain: one row per interval_start, platform, system, volume
-- column interval_start TIMESTAMP [UTC]: Start of the box's interval, see box_clock
-- columns: interval_s
-- column box VARCHAR []: Box, see volume_box
-- columns: platform, system, volume, volser
-- column disk VARCHAR []: What systems share, see volume_home; NULL if there is no serial
-- columns: lcu, storage_group, subsystem
-- column measured_s DOUBLE [s]: Seconds that the system measured within it; clocks apart, the box's interval
-- column io_count DOUBLE [events in the interval]: I/Os = sum of share_ratio * I/Os of the system's intervals
-- column io_rate DOUBLE [per second]: I/O rate = io_count / measured_s
-- columns: wait_ms, pend_ms, cmr_ms, device_busy_ms, disc_ms, conn_ms, service_ms, in_service, queue_length
-- columns: connect_ratio, read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate, interrupt_delay_ms
-- columns: open_exchanges, cylinders, extent_pool, sync_read_rate, sync_write_rate, sync_read_ms, sync_write_ms
-- columns: sync_read_bytes_rate, sync_write_bytes_rate, sync_request_rate, sync_success_ratio, sync_link_busy_ratio
-- columns: sync_miss_ratio, total_io_rate, total_response_ms, utc_offset_s
-- column is_apart BOOLEAN []: The clock is that of a listing without an offset from UTC, and other systems measured the volume, see volume_home
-- note: Sums over systems or volumes of a box are made from these rows. No I/O is lost or counted twice: io_count adds up to the I/Os of volume_interval. Rates are per second measured, so a steady load is steady in every row, even if a system's clock or interval length differs slightly from the box's. Then io_rate * interval_s differs from io_count by as much.
{% macro part(whole) -%}
(
    SELECT
        v.*, c.box, c.box_interval_start, c.box_interval_s, c.measured_s, h.disk, h.is_apart,
        c.share_ratio * v.interval_s AS part_s,
        c.share_ratio * v.interval_s * v.io_rate AS ios
    FROM volume_interval v
    {{ join_home("v") }}
    {{ join_clock("v") }}
    WHERE {{ whole }}
) AS part
{%- endmacro %}
WITH
-- most intervals of a system are one of the box: there is nothing to add up
passed AS (
    SELECT
        box_interval_start AS interval_start,
        box_interval_s AS interval_s,
        box,
        platform,
        system,
        volume,
        volser,
        disk,
        lcu,
        storage_group,
        subsystem,
        measured_s,
        ios AS io_count,
        ios / nullif(measured_s, 0) AS io_rate,
        {{ each("CASE WHEN ios > 0 THEN NAME END", "wait_ms pend_ms cmr_ms device_busy_ms disc_ms conn_ms
            service_ms") }},
        part_s * connect_ratio / nullif(measured_s, 0) AS connect_ratio,
        CASE WHEN ios > 0 THEN read_ratio END AS read_ratio,
        CASE WHEN ios * read_ratio > 0 THEN read_hit_ratio END AS read_hit_ratio,
        CASE WHEN ios * (1 - read_ratio) > 0 THEN write_hit_ratio END AS write_hit_ratio,
        CASE WHEN part_s > 0 THEN nvs_delay_rate END AS nvs_delay_rate,
        {{ each("part_s * NAME / nullif(measured_s, 0)", "open_exchanges sync_read_rate sync_write_rate
            sync_read_bytes_rate sync_write_bytes_rate sync_request_rate total_io_rate") }},
        CASE WHEN ios > 0 THEN interrupt_delay_ms END AS interrupt_delay_ms,
        CASE WHEN part_s * sync_read_rate > 0 THEN sync_read_ms END AS sync_read_ms,
        CASE WHEN part_s * sync_write_rate > 0 THEN sync_write_ms END AS sync_write_ms,
        {{ each("CASE WHEN part_s * sync_request_rate > 0 THEN NAME END", "sync_success_ratio sync_link_busy_ratio sync_miss_ratio") }},
        CASE WHEN part_s * total_io_rate > 0 THEN total_response_ms END AS total_response_ms,
        cylinders,
        extent_pool,
        utc_offset_s,
        is_apart
    FROM {{ part("c.is_whole") }}
),
summed AS (
    SELECT
        box_interval_start AS interval_start,
        box_interval_s AS interval_s,
        box,
        platform,
        system,
        volume,
        {{ each("max(NAME)", "volser disk lcu storage_group subsystem") }},
        measured_s,
        sum(ios) AS io_count,
        sum(ios) / nullif(measured_s, 0) AS io_rate,
        {{ each(mean_of("NAME", "ios"), "wait_ms pend_ms cmr_ms device_busy_ms disc_ms conn_ms service_ms") }},
        sum(part_s * connect_ratio) / nullif(measured_s, 0) AS connect_ratio,
        {{ mean_of("read_ratio", "ios") }} AS read_ratio,
        {{ mean_of("read_hit_ratio", "ios * read_ratio") }} AS read_hit_ratio,
        {{ mean_of("write_hit_ratio", "ios * (1 - read_ratio)") }} AS write_hit_ratio,
        {{ mean_of("nvs_delay_rate", "part_s") }} AS nvs_delay_rate,
        {{ each("sum(part_s * NAME) / nullif(measured_s, 0)", "open_exchanges sync_read_rate sync_write_rate
            sync_read_bytes_rate sync_write_bytes_rate sync_request_rate total_io_rate") }},
        {{ mean_of("interrupt_delay_ms", "ios") }} AS interrupt_delay_ms,
        {{ mean_of("sync_read_ms", "part_s * sync_read_rate") }} AS sync_read_ms,
        {{ mean_of("sync_write_ms", "part_s * sync_write_rate") }} AS sync_write_ms,
        {{ each(mean_of("NAME", "part_s * sync_request_rate"), "sync_success_ratio sync_link_busy_ratio sync_miss_ratio") }},
        {{ mean_of("total_response_ms", "part_s * total_io_rate") }} AS total_response_ms,
        max(cylinders) AS cylinders,
        max(extent_pool) AS extent_pool,
        min(utc_offset_s) AS utc_offset_s,
        bool_or(is_apart) AS is_apart
    FROM {{ part("NOT c.is_whole") }}
    GROUP BY box_interval_start, box_interval_s, measured_s, box, platform, system, volume
),
together AS (
    SELECT * FROM passed
    UNION ALL
    SELECT * FROM summed
)
SELECT
    *,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length
FROM together

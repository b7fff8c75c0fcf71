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
{% macro mean(names, weight, is_whole) -%}
{{ each("CASE WHEN " ~ weight ~ " > 0 THEN NAME END" if is_whole else mean_of("NAME", weight), names) }}
{%- endmacro -%}
{% macro all_of(function, names, is_whole) -%}
{{ each("NAME" if is_whole else function ~ "(NAME)", names) }}
{%- endmacro -%}
WITH together AS (
    {#- most intervals of a system are one of the box: there is nothing to add up #}
    {%- for is_whole in [true, false] %}
    {%- set ios = "ios" if is_whole else "sum(ios)" %}
    SELECT
        box_interval_start AS interval_start, box_interval_s AS interval_s, box, platform, system, volume, measured_s,
        {{ all_of("max", "volser disk lcu storage_group subsystem cylinders extent_pool", is_whole) }},
        {{ ios }} AS io_count,
        {{ ios }} / nullif(measured_s, 0) AS io_rate,
        {{ each("part_s * NAME / nullif(measured_s, 0)" if is_whole else "sum(part_s * NAME) / nullif(measured_s, 0)",
            "connect_ratio open_exchanges sync_read_rate sync_write_rate sync_read_bytes_rate sync_write_bytes_rate
            sync_request_rate total_io_rate") }},
        {{ mean("wait_ms pend_ms cmr_ms device_busy_ms disc_ms conn_ms service_ms read_ratio interrupt_delay_ms", "ios",
            is_whole) }},
        {{ mean("read_hit_ratio", "ios * read_ratio", is_whole) }},
        {{ mean("write_hit_ratio", "ios * (1 - read_ratio)", is_whole) }},
        {{ mean("nvs_delay_rate", "part_s", is_whole) }},
        {{ mean("sync_read_ms", "part_s * sync_read_rate", is_whole) }},
        {{ mean("sync_write_ms", "part_s * sync_write_rate", is_whole) }},
        {{ mean("sync_success_ratio sync_link_busy_ratio sync_miss_ratio", "part_s * sync_request_rate", is_whole) }},
        {{ mean("total_response_ms", "part_s * total_io_rate", is_whole) }},
        {{ all_of("min", "utc_offset_s", is_whole) }},
        {{ all_of("bool_or", "is_apart", is_whole) }}
    FROM (
        SELECT
            v.*, c.box, c.box_interval_start, c.box_interval_s, c.measured_s, h.disk, h.is_apart,
            c.share_ratio * v.interval_s AS part_s,
            c.share_ratio * v.interval_s * v.io_rate AS ios
        FROM volume_interval v
        {{ join_home("v") }}
        {{ join_clock("v") }}
        WHERE {{ "c.is_whole" if is_whole else "NOT c.is_whole" }}
    ) AS part
    {{ "UNION ALL" if is_whole else "GROUP BY box_interval_start, box_interval_s, measured_s, box, platform, system, volume" }}
    {%- endfor %}
)
SELECT
    *,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length
FROM together

{#
Among the columns of a SELECT from rows of device_interval.
#}
{% macro columns_of_device() -%}
platform, system, interval_start, interval_s, device, base_device, volser, device_type, control_unit_type,
lcu, storage_group, exposures, is_hyperpav, io_rate, wait_ms, wait_source, queue_length, pend_ms, cmr_ms,
device_busy_ms, disc_ms, conn_ms, service_ms, connect_ratio, busy_ratio, reserved_ratio, source, utc_offset_s,
interrupt_delay_ms, cu_queue_ms, open_exchanges, allocations, not_ready_ratio, mount_pending_ratio, cylinders,
is_sync_capable, sync_read_rate, sync_write_rate, sync_read_ms, sync_write_ms, sync_read_bytes_rate,
sync_write_bytes_rate, sync_request_rate, sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio,
sync_read_reject_ratio, sync_write_reject_ratio, coalesce(total_io_rate, io_rate) AS total_io_rate,
read_ratio, mdc_avoided_rate, throttle_delay_rate, paths, recovery_count,
coalesce(sync_request_rate, sync_read_rate + sync_write_rate) AS sync_weight,
coalesce(
    volser,
    CASE WHEN platform = 'z/VM' AND coalesce(base_device, device) LIKE '0____' THEN substr(coalesce(base_device, device), 2) END,
    base_device, device
) AS volume,
role = 'alias' AS is_alias,
-- of one address the times need no weight, whether or not its rate can be read
CASE WHEN role IN ('base', 'alias') THEN io_rate ELSE coalesce(io_rate, 1) END AS weight,
io_rate IS NULL AND service_ms IS NOT NULL AS is_unread,
CASE WHEN wait_ms IS NOT NULL THEN io_rate END AS wait_weight
{%- endmacro %}

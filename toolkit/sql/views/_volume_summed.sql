-- reach: a day
-- title: Volumes with several addresses, and those of listings and z/VM: their devices added up
-- grain: one row per platform, system, interval_start, volume
-- columns: platform, system, interval_start, interval_s
-- column volume VARCHAR []: Volume serial; without one the base device (four digits on z/VM) = coalesce(volser, base_device, device)
-- columns: volser
-- column device VARCHAR []: The base (or single) device
-- columns: device_type, control_unit_type, lcu, storage_group
-- column exposures DOUBLE []: Base plus aliases = the device's own number where one row stands for all, else how many addresses of base and aliases there are
-- columns: is_hyperpav
-- column io_rate DOUBLE [per second]: I/O rate of all addresses = sum of io_rate; NULL where the rate of one that has times can't be read
-- column wait_ms DOUBLE [milliseconds]: Mean wait in the base's queue = 1000 * sum of queue_length / sum of io_rate; the base's own where its queue_length is unknown
-- columns: wait_source, pend_ms, cmr_ms, device_busy_ms, disc_ms, conn_ms, service_ms, response_ms, in_service
-- columns: queue_length, connect_ratio
-- column busy_ratio DOUBLE [ratio]: Busy time of all exposures over interval
-- columns: reserved_ratio, read_ratio, read_hit_ratio, write_hit_ratio, nvs_delay_rate, subsystem, extent_pool
-- columns: interrupt_delay_ms, cu_queue_ms
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit = sum of open_exchanges
-- columns: allocations, not_ready_ratio, mount_pending_ratio, cylinders, is_sync_capable
-- column sync_read_rate DOUBLE [per second]: Synchronous (zHyperLink) reads that succeeded = sum of sync_read_rate
-- column sync_write_rate DOUBLE [per second]: Synchronous (zHyperLink) writes that succeeded = sum of sync_write_rate
-- columns: sync_read_ms, sync_write_ms, sync_read_bytes_rate, sync_write_bytes_rate
-- column sync_request_rate DOUBLE [per second]: Synchronous requests of every outcome = sum of sync_request_rate
-- columns: sync_success_ratio, sync_link_busy_ratio, sync_miss_ratio, sync_read_reject_ratio, sync_write_reject_ratio
-- column total_io_rate DOUBLE [per second]: Normal and synchronous I/Os together = sum of total_io_rate
-- column total_response_ms DOUBLE [milliseconds]: Mean response of normal and synchronous I/Os together = (io_rate * response_ms + sync_read_rate * sync_read_ms + sync_write_rate * sync_write_ms) / total_io_rate
-- column mdc_avoided_rate DOUBLE [per second]: I/Os that z/VM's minidisk cache made unnecessary = sum of mdc_avoided_rate
-- columns: throttle_delay_rate, paths, recovery_count, addresses, idle_aliases, source, utc_offset_s
-- note: A volume of one address that type 74.1 recorded is in _volume_smf74_1.
WITH device AS (
    SELECT
        {{ columns_of_device() }}
    FROM device_interval d
    WHERE coalesce(device_class, 'dasd') = 'dasd' AND coalesce(online, TRUE)
        AND NOT (role = 'alias' AND volser IS NULL AND base_device IS NULL)
        AND source <> 'smf74.1'
    UNION ALL
    SELECT
        {{ columns_of_device() }}
    FROM _device_means d
    WHERE coalesce(device_class, 'dasd') = 'dasd' AND coalesce(online, TRUE) AND NOT is_alone
),
volume AS (
    SELECT
        platform,
        system,
        interval_start,
        volume,
        max(interval_s) AS interval_s,
        max(volser) AS volser,
        coalesce(min(CASE WHEN NOT is_alias THEN device END), min(base_device), min(device)) AS device,
        max(device_type) AS device_type,
        max(control_unit_type) AS control_unit_type,
        coalesce(max(CASE WHEN NOT is_alias THEN lcu END), max(lcu)) AS lcu,
        max(storage_group) AS storage_group,
        -- most volumes are one device: counting what differs in every group takes a quarter of the view's time
        CASE
            WHEN min(device) < max(device) THEN CAST(array_size(array_distinct(collect_list(device))) AS DOUBLE)
            ELSE max(exposures)
        END AS exposures,
        bool_or(is_hyperpav) AS is_hyperpav,
        CASE WHEN NOT bool_or(is_unread) THEN sum(io_rate) END AS io_rate,
        CASE
            WHEN bool_or(is_unread) THEN NULL
            WHEN bool_or(NOT is_alias AND queue_length IS NULL) THEN max(CASE WHEN NOT is_alias THEN wait_ms END)
            ELSE 1e3 * sum(queue_length) / nullif(sum(CASE WHEN is_alias THEN io_rate ELSE wait_weight END), 0)
        END AS wait_ms,
        coalesce(max(CASE WHEN NOT is_alias THEN wait_source END), max(wait_source)) AS wait_source,
        {{ each(mean_of("NAME", "weight"), "pend_ms cmr_ms device_busy_ms disc_ms conn_ms service_ms") }},
        sum(connect_ratio) AS connect_ratio,
        sum(busy_ratio) AS busy_ratio,
        max(reserved_ratio) AS reserved_ratio,
        {{ mean_of("interrupt_delay_ms", "weight") }} AS interrupt_delay_ms,
        {{ mean_of("cu_queue_ms", "weight") }} AS cu_queue_ms,
        sum(open_exchanges) AS open_exchanges,
        {{ each("max(CASE WHEN NOT is_alias THEN NAME END)", "allocations not_ready_ratio mount_pending_ratio") }},
        max(cylinders) AS cylinders,
        bool_or(is_sync_capable) AS is_sync_capable,
        sum(sync_read_rate) AS sync_read_rate,
        sum(sync_write_rate) AS sync_write_rate,
        sum(sync_read_rate * sync_read_ms) / nullif(sum(sync_read_rate), 0) AS sync_read_ms,
        sum(sync_write_rate * sync_write_ms) / nullif(sum(sync_write_rate), 0) AS sync_write_ms,
        {{ each("sum(NAME)", "sync_read_bytes_rate sync_write_bytes_rate sync_request_rate") }},
        {{ mean_of("sync_success_ratio", "sync_weight") }} AS sync_success_ratio,
        {{ mean_of("sync_link_busy_ratio", "sync_weight") }} AS sync_link_busy_ratio,
        {{ mean_of("sync_miss_ratio", "sync_weight") }} AS sync_miss_ratio,
        {{ mean_of("sync_read_reject_ratio", "sync_weight") }} AS sync_read_reject_ratio,
        {{ mean_of("sync_write_reject_ratio", "sync_weight") }} AS sync_write_reject_ratio,
        sum(total_io_rate) AS total_io_rate,
        {{ mean_of("read_ratio", "weight") }} AS host_read_ratio,
        sum(mdc_avoided_rate) AS mdc_avoided_rate,
        sum(throttle_delay_rate) AS throttle_delay_rate,
        max(CASE WHEN NOT is_alias THEN paths END) AS paths,
        sum(recovery_count) AS recovery_count,
        count(*) AS addresses,
        CAST(sum(CASE WHEN is_alias AND io_rate > 0 THEN 0 WHEN is_alias AND io_rate = 0 THEN 1 END) AS BIGINT)
            AS idle_aliases,
        min(source) AS source,
        max(utc_offset_s) AS utc_offset_s
    FROM device
    GROUP BY platform, system, interval_start, volume
)
SELECT
    v.*,
    v.wait_ms + v.service_ms AS response_ms,
    v.io_rate * v.service_ms / 1000 AS in_service,
    v.io_rate * v.wait_ms / 1000 AS queue_length,
    coalesce(CASE WHEN own.device IS NULL THEN other.read_ratio ELSE own.read_ratio END, v.host_read_ratio) AS read_ratio,
    CASE WHEN own.device IS NULL THEN other.read_hit_ratio ELSE own.read_hit_ratio END AS read_hit_ratio,
    CASE WHEN own.device IS NULL THEN other.write_hit_ratio ELSE own.write_hit_ratio END AS write_hit_ratio,
    CASE WHEN own.device IS NULL THEN other.nvs_delay_rate ELSE own.nvs_delay_rate END AS nvs_delay_rate,
    CASE WHEN own.device IS NULL THEN other.subsystem ELSE own.subsystem END AS subsystem,
    CASE WHEN own.device IS NULL THEN other.extent_pool ELSE own.extent_pool END AS extent_pool,
    {{ total_response() }} AS total_response_ms
FROM volume v
LEFT JOIN device_cache own ON {{ equal("platform, system, interval_start, device", "own", "v") }}
LEFT JOIN volume_cache other ON {{ equal("platform, system, interval_start, volser", "other", "v") }}

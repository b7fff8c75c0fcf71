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
        coalesce(min(CASE WHEN NOT is_alias THEN device END), min(base_device), min(device)) AS device,
        coalesce(max(CASE WHEN NOT is_alias THEN lcu END), max(lcu)) AS lcu,
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
        {{ each("sum(NAME)", "connect_ratio busy_ratio open_exchanges sync_read_rate sync_write_rate sync_read_bytes_rate
            sync_write_bytes_rate sync_request_rate total_io_rate mdc_avoided_rate throttle_delay_rate recovery_count") }},
        {{ mean_of("interrupt_delay_ms", "weight") }} AS interrupt_delay_ms,
        {{ mean_of("cu_queue_ms", "weight") }} AS cu_queue_ms,
        {{ each("max(CASE WHEN NOT is_alias THEN NAME END)", "allocations not_ready_ratio mount_pending_ratio") }},
        bool_or(is_sync_capable) AS is_sync_capable,
        sum(sync_read_rate * sync_read_ms) / nullif(sum(sync_read_rate), 0) AS sync_read_ms,
        sum(sync_write_rate * sync_write_ms) / nullif(sum(sync_write_rate), 0) AS sync_write_ms,
        {{ each(mean_of("NAME", "sync_weight"), "sync_success_ratio sync_link_busy_ratio sync_miss_ratio
            sync_read_reject_ratio sync_write_reject_ratio") }},
        {{ mean_of("read_ratio", "weight") }} AS host_read_ratio,
        max(CASE WHEN NOT is_alias THEN paths END) AS paths,
        count(*) AS addresses,
        CAST(sum(CASE WHEN is_alias AND io_rate > 0 THEN 0 WHEN is_alias AND io_rate = 0 THEN 1 END) AS BIGINT)
            AS idle_aliases,
        min(source) AS source,
        {{ each("max(NAME)", "interval_s volser device_type control_unit_type storage_group reserved_ratio cylinders
            utc_offset_s") }}
    FROM device
    GROUP BY platform, system, interval_start, volume
)
SELECT
    v.*,
    v.wait_ms + v.service_ms AS response_ms,
    v.io_rate * v.service_ms / 1000 AS in_service,
    v.io_rate * v.wait_ms / 1000 AS queue_length,
    coalesce(CASE WHEN own.device IS NULL THEN other.read_ratio ELSE own.read_ratio END, v.host_read_ratio) AS read_ratio,
    {{ each("CASE WHEN own.device IS NULL THEN other.NAME ELSE own.NAME END", "read_hit_ratio write_hit_ratio
        nvs_delay_rate subsystem extent_pool") }},
    {{ total_response() }} AS total_response_ms
FROM volume v
LEFT JOIN device_cache own ON {{ equal("platform, system, interval_start, device", "own", "v") }}
LEFT JOIN volume_cache other ON {{ equal("platform, system, interval_start, volser", "other", "v") }}

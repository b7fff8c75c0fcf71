-- note: A volume of one address that type 74.1 recorded is in _volume_smf74_1.
WITH {{ device_means() }},
device AS (
    {%- for rows, which in [("device_interval", "source <> 'smf74.1'"), ("means", "NOT is_alone")] %}
    SELECT
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
    FROM {{ rows }}
    WHERE coalesce(device_class, 'dasd') = 'dasd' AND coalesce(online, TRUE)
        AND NOT (role = 'alias' AND volser IS NULL AND base_device IS NULL)
        AND {{ which }}
    {{ "UNION ALL" if not loop.last }}
    {%- endfor %}
),
volume AS (
    SELECT
        platform, system, interval_start, volume,
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
        {{ mean_of("read_ratio", "weight") }} AS _host_read_ratio,
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
    coalesce(CASE WHEN own.device IS NULL THEN other.read_ratio ELSE own.read_ratio END, v._host_read_ratio) AS read_ratio,
    {{ each("CASE WHEN own.device IS NULL THEN other.NAME ELSE own.NAME END", "read_hit_ratio write_hit_ratio
        nvs_delay_rate subsystem extent_pool") }},
    {{ total_response() }} AS total_response_ms
FROM volume v
LEFT JOIN device_cache own ON {{ equal("platform, system, interval_start, device", "own", "v") }}
LEFT JOIN volume_cache other ON {{ equal("platform, system, interval_start, volser", "other", "v") }}

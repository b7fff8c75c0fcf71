-- layer: promised
-- reach: a day
-- title: Logical control units: totals of their devices, queues, paths and alias use
-- grain: one row per platform, system, interval_start, lcu
-- columns: platform, system, interval_start, interval_s, lcu
-- column devices BIGINT []: DASD devices online
-- columns: waiting_devices
-- column io_rate DOUBLE [per second]: Rate of all devices = sum of io_rate
-- column wait_ms DOUBLE [milliseconds]: Mean wait = 1000 * sum of queue_length / sum of io_rate
-- column pend_ms DOUBLE [milliseconds]: Mean pending time = sum of accumulated times / sum of SMF74MEC; weighted by rate from listings
-- column cmr_ms DOUBLE [milliseconds]: Mean initial command response time, made like pend_ms
-- column device_busy_ms DOUBLE [milliseconds]: Mean device busy delay, made like pend_ms
-- column disc_ms DOUBLE [milliseconds]: Mean disconnect time, made like pend_ms
-- column conn_ms DOUBLE [milliseconds]: Mean connect time, made like pend_ms
-- columns: service_ms, response_ms
-- column in_service DOUBLE []: Mean number of I/Os in progress = sum of in_service
-- column queue_length DOUBLE []: Mean number of I/Os waiting in the host = sum of queue_length
-- column connect_ratio DOUBLE [ratio 0..1]: Mean over the online devices
-- column busy_ratio DOUBLE [ratio 0..1]: Mean over the online devices
-- column reserved_ratio DOUBLE [ratio 0..1]: Mean over the online devices
-- column hyperpav_aliases BIGINT []: HyperPAV aliases configured = highest SMF74HPC of the devices; z/VM: IODHPP_HPPNALIS of its pools
-- column alias_high_water BIGINT []: Most aliases in use at once, borrowed ones excluded = R783HAIU
-- column alias_borrowed_high_water BIGINT []: Most borrowed aliases in use at once (SuperPAV) = R783XHBC
-- column alias_high_water_per_base BIGINT []: Most aliases in use by one base = R783HCAD
-- column alias_io_count DOUBLE [events in the interval]: HyperPAV I/O requests = R783HTIO
-- column alias_denied_count DOUBLE [events in the interval]: Times an I/O could not start for want of a free alias; one I/O may be refused several times = R783HNAI
-- column alias_denied_ratio DOUBLE [refusals per I/O]: Times no alias was free, per HyperPAV I/O request; may exceed 1 because one I/O may be counted more than once = R783HNAI / R783HTIO
-- column alias_need_count DOUBLE [events in the interval]: Times an alias was needed (SuperPAV only) = R783XANC
-- column alias_borrowed_count DOUBLE [events in the interval]: Aliases borrowed from other LCUs of the group (SuperPAV only) = R783XABC
-- column alias_group VARCHAR []: Alias management group whose LCUs lend aliases to each other (SuperPAV only) = R783AMGS
-- column alias_used_count DOUBLE [events in the interval]: Times an alias was needed and found (SuperPAV only) = R783XAUC
-- column alias_home_empty_count DOUBLE [events in the interval]: Times an alias was needed and the own pool had none (SuperPAV only) = R783XNHC
-- column alias_loaned_count DOUBLE [events in the interval]: Aliases lent to other LCUs of the group (SuperPAV only) = R783XALC
-- column alias_loaned_high_water BIGINT []: Most aliases lent at once (SuperPAV only) = R783XHLC
-- column alias_not_lent_count DOUBLE [events in the interval]: Attempts to borrow that found no free alias in the whole group (SuperPAV only) = R783XNAG
-- columns: css_delay_ms, delay_queue_length, contention_rate
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit (AVG OPEN EXCH) = lcu_queue.open_exchanges (medium)
-- columns: transfer_concurrency, path_taken_rate, director_port_busy_ratio, cu_busy_ratio, cu_busy_delay_ms
-- columns: transport_write_ratio, ready_disabled_write_ratio
-- column queue_high_water BIGINT []: Most I/Os queued at once = R783HIOQ
-- column alias_throttled_count BIGINT [events in the interval]: Times I/Os were delayed on purpose by PAV alias throttling = sum of SMF74ATD
-- columns: utc_offset_s
-- column source VARCHAR []: Record type or report of the device rows
-- note: Weights are measured I/Os (SMF74MEC) per second where the source has them, else the rate. Devices without a value carry no weight for it.
-- note: RMF prints the LCU response from the accumulated active time (SMF74ATV); here it is wait plus the three parts.
WITH device AS (
    SELECT
        d.*,
        coalesce(measured_count / nullif(interval_s, 0), io_rate) AS weight
    FROM device_interval d
    WHERE lcu IS NOT NULL AND coalesce(device_class, 'dasd') = 'dasd' AND coalesce(online, TRUE)
),
summed AS (
    SELECT
        platform, system, interval_start, lcu,
        max(interval_s) AS interval_s,
        count(*) AS devices,
        CAST(sum(CASE WHEN wait_ms > 0.1 THEN 1 ELSE 0 END) AS BIGINT) AS waiting_devices,
        sum(io_rate) AS io_rate,
        1e3 * sum(queue_length) / nullif(sum(CASE WHEN wait_ms IS NOT NULL THEN io_rate END), 0) AS wait_ms,
        {{ each(mean_of("NAME", "weight"), "pend_ms cmr_ms device_busy_ms disc_ms conn_ms") }},
        sum(in_service) AS in_service,
        sum(queue_length) AS queue_length,
        {{ each("avg(NAME)", "connect_ratio busy_ratio reserved_ratio") }},
        CAST(max(hyperpav_aliases) AS BIGINT) AS own_aliases,
        CAST(sum(alias_throttled_count) AS BIGINT) AS alias_throttled_count,
        max(utc_offset_s) AS utc_offset_s,
        min(source) AS source
    FROM device
    GROUP BY platform, system, interval_start, lcu
)
SELECT
    s.*,
    s.pend_ms + s.disc_ms + s.conn_ms AS service_ms,
    s.wait_ms + s.pend_ms + s.disc_ms + s.conn_ms AS response_ms,
    coalesce(s.own_aliases, x.hyperpav_aliases) AS hyperpav_aliases,
    {{ each("x.NAME", "alias_high_water alias_borrowed_high_water alias_high_water_per_base alias_io_count
        alias_denied_count alias_denied_ratio alias_need_count alias_borrowed_count alias_group
        alias_used_count alias_home_empty_count alias_loaned_count alias_loaned_high_water
        alias_not_lent_count css_delay_ms delay_queue_length contention_rate open_exchanges
        transfer_concurrency path_taken_rate director_port_busy_ratio cu_busy_ratio cu_busy_delay_ms
        transport_write_ratio ready_disabled_write_ratio queue_high_water") }}
FROM summed s
LEFT JOIN lcu_on_device_clock x ON {{ equal("platform, system, interval_start, lcu", "x", "s") }}

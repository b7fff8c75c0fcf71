-- view: lcu_on_device_clock
-- layer: derived
-- reach: a day
-- title: Alias use, queues and paths of logical control units, brought to the intervals of the device measurements
-- grain: one row per platform, system, interval_start, lcu
-- column platform VARCHAR []: Operating system that measured
-- column system VARCHAR []: System id
-- column interval_start TIMESTAMP [UTC]: Start of the device interval, see device_alignment
-- column interval_s DOUBLE [s]: Length of the device interval
-- column lcu VARCHAR []: Logical control unit, 4 hex digits
-- column alias_high_water BIGINT []: Most aliases in use at once, borrowed ones excluded
-- column alias_borrowed_high_water BIGINT []: Most borrowed aliases in use at once (SuperPAV)
-- column alias_high_water_per_base BIGINT []: Most aliases in use by one base, loaned ones included
-- column alias_io_count DOUBLE [events in the interval]: HyperPAV I/O requests
-- column alias_denied_count DOUBLE [events in the interval]: Times an I/O could not start for want of a free alias; one I/O may be refused several times
-- column alias_denied_ratio DOUBLE [refusals per I/O]: The same per HyperPAV I/O request; an I/O may be refused more than once, so it may pass 1
-- column alias_need_count DOUBLE [events in the interval]: Times an alias was needed (SuperPAV only)
-- column alias_borrowed_count DOUBLE [events in the interval]: Aliases borrowed from another control unit of the group (SuperPAV only)
-- column alias_used_count DOUBLE [events in the interval]: Times an alias was needed and found (SuperPAV only)
-- column alias_home_empty_count DOUBLE [events in the interval]: Times an alias was needed and the own pool had none (SuperPAV only)
-- column alias_loaned_count DOUBLE [events in the interval]: Aliases lent to other control units of the group (SuperPAV only)
-- column alias_loaned_high_water BIGINT []: Most aliases lent at once (SuperPAV only)
-- column alias_not_lent_count DOUBLE [events in the interval]: Attempts to borrow that found no free alias in the whole group (SuperPAV only)
-- column alias_group VARCHAR []: Alias management group whose control units lend to each other, as the source names it
-- column queue_high_water BIGINT []: Most I/Os queued at once
-- column css_delay_ms DOUBLE [milliseconds]: Mean wait of a start in the channel subsystem (AVG CSS DLY)
-- column delay_queue_length DOUBLE []: Mean number of requests already on the control unit's queue when one is put there (DELAY Q LNGTH)
-- column contention_rate DOUBLE [per second]: Requests put on that queue because the control unit was busy (CONTENTION RATE)
-- column open_exchanges DOUBLE []: Mean number of operations open at the control unit (AVG OPEN EXCH)
-- column transfer_concurrency DOUBLE []: Mean number of data transfers under way (DATA XFER CONC)
-- column path_taken_rate DOUBLE [per second]: Starts on all paths (CHPID TAKEN), managed channels included
-- column director_port_busy_ratio DOUBLE [ratio 0..1]: Share of the attempts to start that met a busy director port (% DP BUSY)
-- column cu_busy_ratio DOUBLE [ratio 0..1]: Share of the attempts to start that met a busy control unit (% CU BUSY)
-- column cu_busy_delay_ms DOUBLE [milliseconds]: Mean delay of a start by a busy control unit (AVG CUB DLY)
-- column transport_write_ratio DOUBLE [ratio 0..1]: Share of the starts that were writes in transport mode (zHPF)
-- column ready_disabled_write_ratio DOUBLE [ratio 0..1]: Share of the transport-mode writes sent without waiting for the control unit to be ready
-- note: Where several intervals of 78.3 belong to one device interval their counts are added, the highest of high-water marks stands, and means are weighted by the starts on all paths (rates by time). Of an interval longer than the device interval the counts are taken in proportion to time.
WITH recorded AS (
    SELECT
        a.interval_start AS device_start,
        a.interval_s AS device_s,
        sum(x.interval_s) OVER (PARTITION BY x.platform, x.system, x.lcu, a.interval_start) AS recorded_s,
        x.*
    FROM lcu_extra x
    JOIN device_alignment a
        ON a.platform = x.platform
        AND a.system = x.system
        AND a.other_start = x.interval_start
        AND a.other_s = x.interval_s
),
-- clocks that differ by a little do not change a count
shared AS (
    SELECT t.*, CASE WHEN recorded_s > 1.02 * device_s THEN device_s / recorded_s ELSE 1 END AS share_ratio
    FROM recorded t
),
used AS (
    SELECT
        platform,
        system,
        device_start,
        lcu,
        max(device_s) AS device_s,
        max(alias_high_water) AS alias_high_water,
        max(alias_borrowed_high_water) AS alias_borrowed_high_water,
        max(alias_high_water_per_base) AS alias_high_water_per_base,
        max(alias_loaned_high_water) AS alias_loaned_high_water,
        max(queue_high_water) AS queue_high_water,
        sum(share_ratio * alias_io_count) AS alias_io_count,
        sum(share_ratio * alias_denied_count) AS alias_denied_count,
        sum(share_ratio * alias_need_count) AS alias_need_count,
        sum(share_ratio * alias_borrowed_count) AS alias_borrowed_count,
        sum(share_ratio * alias_used_count) AS alias_used_count,
        sum(share_ratio * alias_home_empty_count) AS alias_home_empty_count,
        sum(share_ratio * alias_loaned_count) AS alias_loaned_count,
        sum(share_ratio * alias_not_lent_count) AS alias_not_lent_count,
        CASE
            WHEN sum(alias_io_count) > 0 THEN sum(alias_denied_count) / sum(alias_io_count)
            ELSE avg(alias_denied_ratio)
        END AS alias_denied_ratio,
        max(alias_group) AS alias_group
    FROM shared
    GROUP BY platform, system, device_start, lcu
),
started AS (
    SELECT
        a.interval_start AS device_start,
        a.interval_s AS device_s,
        coalesce(q.path_taken_rate, 1) * q.interval_s AS starts,
        q.*
    FROM lcu_queue q
    JOIN device_alignment a
        ON a.platform = q.platform
        AND a.system = q.system
        AND a.other_start = q.interval_start
        AND a.other_s = q.interval_s
),
queued AS (
    SELECT
        platform,
        system,
        device_start,
        lcu,
        max(device_s) AS device_s,
        {{ mean_of("css_delay_ms", "starts") }} AS css_delay_ms,
        {{ mean_of("delay_queue_length", "starts") }} AS delay_queue_length,
        {{ mean_of("contention_rate", "interval_s") }} AS contention_rate,
        {{ mean_of("open_exchanges", "interval_s") }} AS open_exchanges,
        {{ mean_of("transfer_concurrency", "interval_s") }} AS transfer_concurrency,
        {{ mean_of("path_taken_rate", "interval_s") }} AS path_taken_rate,
        {{ mean_of("director_port_busy_ratio", "starts") }} AS director_port_busy_ratio,
        {{ mean_of("cu_busy_ratio", "starts") }} AS cu_busy_ratio,
        {{ mean_of("cu_busy_delay_ms", "starts") }} AS cu_busy_delay_ms,
        {{ mean_of("transport_write_ratio", "starts") }} AS transport_write_ratio,
        {{ mean_of("ready_disabled_write_ratio", "starts") }} AS ready_disabled_write_ratio
    FROM started
    GROUP BY platform, system, device_start, lcu
)
SELECT
    coalesce(u.platform, q.platform) AS platform,
    coalesce(u.system, q.system) AS system,
    coalesce(u.device_start, q.device_start) AS interval_start,
    coalesce(u.device_s, q.device_s) AS interval_s,
    coalesce(u.lcu, q.lcu) AS lcu,
    u.alias_high_water,
    u.alias_borrowed_high_water,
    u.alias_high_water_per_base,
    u.alias_io_count,
    u.alias_denied_count,
    u.alias_denied_ratio,
    u.alias_need_count,
    u.alias_borrowed_count,
    u.alias_used_count,
    u.alias_home_empty_count,
    u.alias_loaned_count,
    u.alias_loaned_high_water,
    u.alias_not_lent_count,
    u.alias_group,
    u.queue_high_water,
    q.css_delay_ms,
    q.delay_queue_length,
    q.contention_rate,
    q.open_exchanges,
    q.transfer_concurrency,
    q.path_taken_rate,
    q.director_port_busy_ratio,
    q.cu_busy_ratio,
    q.cu_busy_delay_ms,
    q.transport_write_ratio,
    q.ready_disabled_write_ratio
FROM used u
FULL JOIN queued q
    ON q.platform = u.platform
    AND q.system = u.system
    AND q.device_start = u.device_start
    AND q.lcu = u.lcu

-- source: fcx110
-- formula volser: VOLSER (high)
-- formula device_use: text in parentheses behind the device number (high)
-- formula device_type: Device type as printed (high)
-- formula io_rate: SSCH rate/s (high)
-- formula service_ms: Service time (high)
-- formula response_ms: Response time (high)
-- formula reserved_ratio: Reserved / 100 (medium)
-- formula contention_ratio: I/O contention / 100 (medium)
-- formula links: Nr. of LINKs (high)
-- formula sense_count: SENSE SSCH (high)
-- formula recovery_count: Recovery SSCH (high)
-- formula page_read_rate: Page reads/s (high)
-- formula page_write_rate: Page writes/s (high)
-- formula spool_read_rate: Spool reads/s (high)
-- formula spool_write_rate: Spool writes/s (high)
-- formula system_io_rate: System I/Os /s (high)
-- formula interference_rate: User interfer./s (high)
-- formula page_service_ms: PG serv. time (high)
-- formula page_response_ms: PG resp. time (high)
-- formula page_queue_length: PG queue len. (high)
-- formula block_pages: Avail. bsize (high)
-- formula paths: Path(s) to device (high)
-- formula path_status: Channel path status (high)
{% call printed("fcx110", "'z/VM'", "'detail'", "lpad(i.addr, 5, '0')", "i.addr") %}
    lpad(addr, 5, '0') AS device,
    nullif(volser, '') AS volser,
    use AS device_use,
    nullif(device_type, '') AS device_type,
    ssch_rate AS io_rate,
    service_time AS service_ms,
    response_time AS response_ms,
    reserved / 100 AS reserved_ratio,
    io_contention / 100 AS contention_ratio,
    nr_of_links AS links,
    sense_ssch AS sense_count,
    recovery_ssch AS recovery_count,
    page_reads AS page_read_rate,
    page_writes AS page_write_rate,
    spool_reads AS spool_read_rate,
    spool_writes AS spool_write_rate,
    system_ios AS system_io_rate,
    user_interfer AS interference_rate,
    pg_serv_time AS page_service_ms,
    pg_resp_time AS page_response_ms,
    pg_queue_len AS page_queue_length,
    avail_bsize AS block_pages,
    paths,
    path_status
{% endcall %}

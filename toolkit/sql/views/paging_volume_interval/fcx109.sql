-- source: fcx109
-- formula device: 0 and Addr (low)
-- formula volser: Serial (low)
-- formula area: Area Type (low)
-- formula extent: Area Extent (low)
-- formula used_ratio: Used % / 100 (low)
-- formula page_read_rate: Page Reads (low)
-- formula page_write_rate: Page Writes (low)
-- formula spool_read_rate: Spool Reads (low)
-- formula spool_write_rate: Spool Writes (low)
-- formula total_page_rate: Total (low)
-- formula io_rate: SSCH+RSCH (low)
-- formula interference_rate: User Inter (low)
-- formula queue_length: Queue Lngth (low)
-- formula page_service_ms: Serv Time/Page (low)
-- formula mload_ms: MLOAD Resp Time (low)
-- formula block_pages: Block Page Size (low)
-- formula allocation_ratio: %Used for Alloc / 100 (low)
-- formula source: fcx109 (high)
{% call printed("fcx109", "'z/VM'", "'paging'", "lpad(i.addr, 5, '0')", "i.addr, i.area_type, i.area_extent") %}
    lpad(addr, 5, '0') AS device,
    nullif(serial, '') AS volser,
    nullif(area_type, '') AS area,
    nullif(area_extent, '') AS extent,
    used / 100 AS used_ratio,
    page_reads AS page_read_rate,
    page_writes AS page_write_rate,
    spool_reads AS spool_read_rate,
    spool_writes AS spool_write_rate,
    total AS total_page_rate,
    ssch_rsch AS io_rate,
    user_interference AS interference_rate,
    queue_lngth AS queue_length,
    serv_time_page AS page_service_ms,
    mload_resp_time AS mload_ms,
    block_page_size AS block_pages,
    used_for_alloc / 100 AS allocation_ratio
{% endcall %}

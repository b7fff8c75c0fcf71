-- source: fcx110
-- formula volser: VOLSER of the page (high)
-- formula extent_start: first number of MDISK Extent (high)
-- formula extent_end: second number of MDISK Extent (high)
-- formula userid: Userid (high)
-- formula virtual_device: Addr (high)
-- formula io_rate: IO/s (high)
-- formula minidisk_io_rate: MDIO/s (medium)
-- formula seek_cylinders: VSEEK (medium)
-- formula access: Status (high)
-- formula links: LINK (high)
-- formula page_read_rate: RD/s (high)
-- formula page_write_rate: WR/s (high)
-- formula mload_ms: MLOAD (medium)
-- formula used_ratio: Used / 100 (high)
WITH volume AS (
    SELECT file_id, system, interval_start, addr, max(nullif(volser, '')) AS volser
    FROM fcx110
    GROUP BY file_id, system, interval_start, addr
),
extent AS (
    SELECT e.*, d.volser
    FROM fcx110_extent e
    LEFT JOIN volume d ON {{ equal("file_id, system, interval_start, addr", "d", "e") }}
)
{% call printed("extent", "'z/VM'", "'detail'", "lpad(i.addr, 5, '0')", "i.addr, i.extent_start, i.userid, i.vdev") %}
    lpad(addr, 5, '0') AS device,
    volser, extent_start, extent_end, userid,
    vdev AS virtual_device,
    io_s AS io_rate,
    mdio_s AS minidisk_io_rate,
    vseek AS seek_cylinders,
    status AS access,
    link AS links,
    rd_s AS page_read_rate,
    wr_s AS page_write_rate,
    mload AS mload_ms,
    used / 100 AS used_ratio
{% endcall %}

-- source: rmf.chan
-- formula interval_s: INTERVAL; the paths' own measurement times are not printed (medium)
-- formula channel_path: CHANNEL PATH ID (high)
-- formula type: TYPE (high)
-- formula online: Status of the XML; listing: false where OFFLINE stands in place of numbers (medium)
-- formula is_shared: SHR is Y, in XML Yes; an empty cell there says no (high)
-- formula busy_ratio: UTILIZATION TOTAL / 100 (high)
-- formula partition_busy_ratio: UTILIZATION PART / 100 (high)
-- formula bus_busy_ratio: UTILIZATION BUS / 100 (high)
-- formula read_bytes_rate: READ TOTAL * 10^6 (medium)
-- formula write_bytes_rate: WRITE TOTAL * 10^6; HiperSockets: Write B/Sec (Total) (medium)
-- formula partition_read_bytes_rate: READ PART * 10^6 (medium)
-- formula partition_write_bytes_rate: WRITE PART * 10^6; HiperSockets: Write B/Sec (LPAR) (medium)
-- formula operation_rate: FICON RATE + zHPF RATE (high)
-- formula ficon_operation_rate: FICON RATE (high)
-- formula zhpf_operation_rate: zHPF RATE (high)
-- formula deferred_rate: FICON DEFER + zHPF DEFER (medium)
-- formula open_exchanges: FICON ACTIVE + zHPF ACTIVE (medium)
-- formula speed_bits_rate: SPEED, where it is a number with G or M (high)
-- formula generation: G (high)
-- note: Ignored where records of the system (73) or shorter intervals of a listing hold the same time, see left_out.
-- note: A report read from several files counts once.
-- note: Rows whose system or time could not be read stay in the raw table only.
{% call printed("rmf_channel", "'z/OS'", "'channel'", "right(i.path, 2)", "i.path",
    order="CASE WHEN i.total_busy_pct IS NULL THEN 1 ELSE 0 END") %}
    path AS channel_path,
    type,
    CASE
        WHEN upper(status) LIKE '%OFFLINE%' THEN FALSE
        WHEN total_busy_pct IS NOT NULL OR ficon_rate IS NOT NULL OR upper(status) = 'ONLINE' THEN TRUE
    END AS online,
    shared IN ('Y', 'YES') AS is_shared,
    total_busy_pct / 100 AS busy_ratio,
    part_busy_pct / 100 AS partition_busy_ratio,
    bus_busy_pct / 100 AS bus_busy_ratio,
    total_read_mb_rate * 1e6 AS read_bytes_rate,
    coalesce(total_write_mb_rate * 1e6, total_write_bytes_rate) AS write_bytes_rate,
    part_read_mb_rate * 1e6 AS partition_read_bytes_rate,
    coalesce(part_write_mb_rate * 1e6, part_write_bytes_rate) AS partition_write_bytes_rate,
    CASE WHEN ficon_rate IS NOT NULL OR zhpf_rate IS NOT NULL THEN coalesce(ficon_rate, 0) + coalesce(zhpf_rate, 0) END
        AS operation_rate,
    ficon_rate AS ficon_operation_rate,
    zhpf_rate AS zhpf_operation_rate,
    CASE
        WHEN ficon_defer_rate IS NOT NULL OR zhpf_defer_rate IS NOT NULL
            THEN coalesce(ficon_defer_rate, 0) + coalesce(zhpf_defer_rate, 0)
    END AS deferred_rate,
    CASE
        WHEN ficon_active IS NOT NULL OR zhpf_active IS NOT NULL THEN coalesce(ficon_active, 0) + coalesce(zhpf_active, 0)
    END AS open_exchanges,
    TRY_CAST(left(speed, length(speed) - 1) AS DOUBLE) * CASE right(speed, 1) WHEN 'G' THEN 1e9 WHEN 'M' THEN 1e6 END
        AS speed_bits_rate,
    TRY_CAST(generation AS INTEGER) AS generation
{% endcall %}

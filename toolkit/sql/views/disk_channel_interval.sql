-- reach: a day
-- title: Channels that lead to disks: how much of them is used, by whichever measure is highest
-- grain: one row per platform, system, interval_start, channel_path
-- columns: platform, system, interval_start, interval_s, channel_path
-- column used_ratio DOUBLE [ratio 0..1]: Highest of busy_ratio, bus_busy_ratio and link_ratio
-- columns: busy_ratio, partition_busy_ratio, bus_busy_ratio
-- column link_ratio DOUBLE [ratio 0..1]: Bytes of the busier direction over the link's speed, ten bits to a byte
-- column bytes_per_operation DOUBLE [bytes]: Bytes moved per operation
-- column zhpf_ratio DOUBLE [ratio 0..1]: zHPF (transport-mode) operations over all
-- column is_lcu_known BOOLEAN []: Records show which LCUs the system's channels lead to
-- columns: utc_offset_s
-- note: FICON channels, and all channels in FCX215. If the day's records (UTC) have the paths of LCUs, only channels that lead to LCUs with disks.
WITH leads AS (
    SELECT DISTINCT p.platform, p.system, p.channel_path, CAST(p.interval_start AS DATE) AS day
    FROM lcu_path_interval p
    JOIN (SELECT DISTINCT platform, system, lcu, CAST(interval_start AS DATE) AS day FROM lcu_interval) l
        ON l.platform = p.platform AND l.system = p.system AND l.lcu = p.lcu AND l.day = CAST(p.interval_start AS DATE)
),
carried AS (
    SELECT
        c.*,
        CASE WHEN c.read_bytes_rate + c.write_bytes_rate IS NOT NULL THEN greatest(c.read_bytes_rate, c.write_bytes_rate) END
            * 10 / c.speed_bits_rate AS link_ratio,
        (c.read_bytes_rate + c.write_bytes_rate) / nullif(c.operation_rate, 0) AS bytes_per_operation,
        c.zhpf_operation_rate / nullif(c.operation_rate, 0) AS zhpf_ratio,
        k.system IS NOT NULL AS is_lcu_known
    FROM channel_interval c
    LEFT JOIN leads d
        ON d.platform = c.platform AND d.system = c.system AND d.channel_path = c.channel_path
        AND d.day = CAST(c.interval_start AS DATE)
    LEFT JOIN (SELECT DISTINCT platform, system, day FROM leads) k
        ON k.platform = c.platform AND k.system = c.system AND k.day = CAST(c.interval_start AS DATE)
    WHERE ((c.type LIKE 'FC%' AND c.type NOT LIKE 'FCP%') OR c.type LIKE 'FICON%' OR c.source LIKE 'fcx215%')
        AND (d.channel_path IS NOT NULL OR k.system IS NULL)
)
SELECT
    *,
    greatest(busy_ratio, bus_busy_ratio, link_ratio) AS used_ratio
FROM carried

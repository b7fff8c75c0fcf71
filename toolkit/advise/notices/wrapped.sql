-- title: Systems with devices whose 16-bit I/O count wrapped
-- grain: one row per system
-- column system VARCHAR []: System id
-- column devices BIGINT []: Devices whose count wrapped
-- column wraps BIGINT []: Intervals in which it did
-- column device VARCHAR []: The device where it did most often
SELECT system, count(*) AS devices, CAST(sum(wraps) AS BIGINT) AS wraps, max_by(device, name_order(wraps, device)) AS device
FROM count_wrap
GROUP BY system
ORDER BY system

-- title: Unused addresses of LCUs
-- grain: one row per platform, lcu
-- column free_addresses BIGINT []: Of the 256 of the LCU, at most
SELECT platform, lcu, 256 - bases - static_aliases - hyperpav_aliases AS free_addresses
FROM lcu_address
ORDER BY platform, lcu

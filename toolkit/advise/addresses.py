"""The device addresses of an LCU: how many its bases and static aliases use, of those there are."""

from __future__ import annotations

# an address within an LCU is one byte: S/390 and z/Architecture I/O definition
ADDRESSES = 256
# one row per LCU without HyperPAV. A static alias has no record of its own in type 74.1, so exposures less one of each
# base count. What no system has a record of isn't counted: the sum is the least there can be
LCU_ADDRESSES = """lcu_base AS (
    SELECT platform, lcu, count(DISTINCT device) AS bases
    FROM device_interval
    WHERE lcu IS NOT NULL AND coalesce(device_class, 'dasd') = 'dasd' AND role <> 'alias'
    GROUP BY platform, lcu
), static_volume AS (
    SELECT platform, lcu, volume, max(exposures) AS exposures
    FROM pav_candidate
    WHERE is_hyperpav IS NOT TRUE AND lcu IS NOT NULL
    GROUP BY platform, lcu, volume
), static_alias AS (
    SELECT platform, lcu, sum(greatest(round(exposures) - 1, 0)) AS aliases, count(*) AS volumes
    FROM static_volume
    GROUP BY platform, lcu
), lcu_address AS (
    SELECT a.platform, a.lcu, b.bases, a.aliases, a.volumes
    FROM static_alias a
    JOIN lcu_base b ON b.platform = a.platform AND b.lcu = a.lcu
)"""

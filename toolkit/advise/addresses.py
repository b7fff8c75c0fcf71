"""The device addresses of an LCU: how many its bases and static aliases use, of those there are."""

from __future__ import annotations

# an address within an LCU is one byte: S/390 and z/Architecture I/O definition
ADDRESSES = 256
# the name that the rule uses for what the view of toolkit/sql/views/ holds
LCU_ADDRESSES = """lcu_address AS (
    SELECT platform, lcu, bases, static_aliases AS aliases, volumes FROM main.lcu_address
)"""

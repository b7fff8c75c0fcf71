"""Pools of aliases: their LCUs by name, and the volumes that draw on them."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.predict.open_load import Load
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import aliases


def lcus_of(row: Row) -> list[str]:
    """The LCUs of a pool, by name, from a row of `alias_pool`."""
    return sorted(row["lcu_names"].split("|"))


def pool_loads(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]


def elsewhere(row: Row, system: str) -> str:
    """A sentence where another system has a larger pool of the same LCU: its addresses are there already.

    Args:
        row: with `other_system`, `other_aliases` and `other_high_water`.
        system: whose pool is too small.
    """
    if row["other_system"] is None:
        return ""
    most = row["other_high_water"]
    used = "" if most is None else f", at most {most} of them in use at once"
    return (
        f". {row['other_system']} has {aliases(row['other_aliases'])} in this LCU{used}: define the same addresses to "
        f"{system} first; no new ones are needed for that"
    )

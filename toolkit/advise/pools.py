"""Pools of aliases: their LCUs by name, and the volumes that draw on them."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.predict.open_load import Load
from iosq.toolkit.rows import Row


def lcus_of(row: Row) -> list[str]:
    """The LCUs of a pool, by name, from a row of `alias_pool`."""
    return sorted(row["lcu_names"].split("|"))


def pool_loads(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]

"""Pools of aliases: their LCUs by name, and the volumes that draw on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from iosq.models.pav.open_load import OpenVolumes
from iosq.toolkit.advise.finding import Row


def lcus_of(row: Row) -> list[str]:
    """The LCUs of a pool, by name, from a row of `alias_pool`."""
    return sorted(row["lcu_names"].split("|"))


def pool_volumes(members: Sequence[Row], aliases: int) -> OpenVolumes:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return OpenVolumes.of(
        [m["io_rate"] for m in members],
        [max(m["wait_ms"] or 0.0, 0.0) for m in members],
        [m["service_ms"] for m in members],
        [max(1 + aliases, math.floor(m["io_rate"] * m["service_ms"] / 1e3) + 1) for m in members],
        0.5,
        1.0,
    )

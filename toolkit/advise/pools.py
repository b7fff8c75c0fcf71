"""Pools of aliases: the volumes that draw on them."""

from __future__ import annotations

from collections.abc import Sequence

from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict import headroom
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.lake import weighted
from iosq.toolkit.predict.measured import Work
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.rows import Row


def pool_loads(members: Sequence[Row]) -> list[Load]:
    """The volumes of a pool in one interval: rows with `io_rate`, `wait_ms` and `service_ms`."""
    return [Load(m["io_rate"], max(m["wait_ms"] or 0.0, 0.0), m["service_ms"]) for m in members]


def pool_work(members: Sequence[Row], size: int) -> Work:
    """The same as one load, to be compared with other times; rows with `own_read_ratio` too."""
    rate = sum(m["io_rate"] for m in members)
    wait, service = (sum(m["io_rate"] * (m[name] or 0.0) for m in members) / rate for name in ("wait_ms", "service_ms"))
    reads = weighted((m["own_read_ratio"], m["io_rate"]) for m in members)
    return Work(size, rate, wait, service, reads, members[0]["interval_start"])


def box_state(members: Sequence[Row], known: Known) -> BoxState:
    """The box of these volumes, as they find it."""
    r = members[0]
    waiting = headroom.longest(members, [m.rate * m.wait_ms for m in pool_loads(members)], known.headroom)
    eased = headroom.headroom(waiting, known.headroom)
    return BoxState(r["in_box"] or 0.0, r["volumes"] or len(members), r["read_ratio"], elasticity_bounds(r), eased)

"""Growth of a box's rate with the I/Os in progress, and the remaining wait in the host."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Known
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.rows import Row


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Row]:
    """The rows of boxes whose rate hardly grows, with the bounds of its growth and what aliases would bring."""
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        bounds = elasticity_bounds(members[0])
        if bounds and bounds[1] <= limits["elasticity"]:
            yield from ({**m, **_effect(members, bounds)} for m in members)


def _effect(members: list[Row], bounds: tuple[float, float]) -> Row:
    """Enough aliases for all that wait: the box gains what its curve gives, and no I/O waits outside."""
    first = members[0]
    rate = sum(m["rate_sum"] for m in members)
    service_ms = sum(m["rate_sum"] * m["service_ms"] for m in members) / rate
    now = sum(m["wait_sum"] for m in members) / rate + service_ms
    fuller = 1 + first["queue_length_max"] / first["in_service_max"]
    # in a fuller box no I/O takes less than it does now
    high, low = (max(now * fuller**-e, service_ms) for e in bounds)
    gains = {"gain_low_ratio": bounds[0] / 100, "gain_high_ratio": bounds[1] / 100}
    return {"now_ms": now, "value_ms": (low + high) / 2, "low_ms": low, "high_ms": high, **gains}

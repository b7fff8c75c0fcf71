"""Pools with aliases held by I/Os that wait for a reserve: more aliases would wait too."""

from collections.abc import Mapping, Sequence

from iosq.toolkit.predict.lake import weighted
from iosq.toolkit.rows import NewRow, Row


def columns(members: Sequence[Row], limits: Mapping[str, float]) -> NewRow:
    """True if reserve delay is a good part of the alias time; and the values of `reserved_advice`.

    Args:
        members: volumes of the pool in an interval, with `io_rate`, `service_ms` and `held_ms` (NULL: none).
        limits: with `held_ms` and `held_share`.
    """
    known = [m for m in members if m["io_rate"] and m["service_ms"] is not None]
    service, held = (weighted((m[n] or 0.0, m["io_rate"]) for m in known) or 0.0 for n in ("service_ms", "held_ms"))
    longest = sorted((m for m in members if m["held_ms"]), key=lambda m: -m["io_rate"] * m["held_ms"])
    return {
        "is_reserved": held >= max(limits["held_ms"], limits["held_share"] * service),
        "alias_held_ms": service,
        # pend above its best may exceed the service time of other intervals
        "release_wait_ms": min(held, service),
        "reserved_volumes": "|".join(str(m["volume"]) for m in longest),
    }

"""Pools whose aliases wait for volumes that another system holds: further aliases would wait there too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.units import human_number


def is_reserved(members: Sequence[Row], limits: Mapping[str, float]) -> bool:
    """Whether a good part of the time that a pool's I/Os hold an alias is a wait for another system's release.

    Args:
        members: volumes of the pool in an interval, with `io_rate`, `service_ms` and `held_ms` (NULL: none).
        limits: with `held_ms` and `held_share`.
    """
    service, held = _means(members)
    return held >= max(limits["held_ms"], limits["held_share"] * service)


def advice(members: Sequence[Row], now: int | None) -> str:
    """What to look at before aliases are added; `now`: how many there are."""
    service, held = _means(members)
    # pend above its best may exceed the service time of other intervals
    held = min(held, service)
    known = sorted((m for m in members if m["held_ms"]), key=lambda m: -m["io_rate"] * m["held_ms"])
    names = [str(m["volume"]) for m in known]
    return (
        f"Can't be told yet{'' if now is None else f' (now {now})'}: of the {human_number(service)} ms an I/O holds an "
        f"alias, {human_number(held)} wait for another system to release the volume (most on {listed(names)}), and "
        "more aliases would wait there too. End these reserves first: the findings about these volumes say who holds "
        "them. Then measure again"
    )


def _means(members: Sequence[Row]) -> tuple[float, float]:
    """Mean service time and mean wait for a release, in ms, of the members' I/Os."""
    told = [m for m in members if m["io_rate"] and m["service_ms"] is not None]
    ios = sum(m["io_rate"] for m in told) or 1.0
    return _total(told, "service_ms") / ios, _total(told, "held_ms") / ios


def _total(members: Sequence[Row], name: str) -> float:
    return float(sum(m["io_rate"] * (m[name] or 0.0) for m in members))

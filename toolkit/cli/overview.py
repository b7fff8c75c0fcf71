"""The first lines of a comparison: rate, response and its parts per box and per system, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from iosq.toolkit.show.numbers import human_number, plural

if TYPE_CHECKING:
    from iosq.types import Change, Comparison

MOST = 12  # boxes, and systems
_TIMES = {"response_ms": "response", "wait_ms": "IOSQ", "service_ms": "service"}


class _Load(NamedTuple):
    """Means of one subject: I/Os per s and ms per I/O, before and after."""

    rate: tuple[float, float]
    times: dict[str, tuple[float, float]]


def overview(comparison: Comparison) -> Iterator[str]:
    """One line per box, then one per system over its volumes present on both sides."""
    boxes = {name: [load] for (kind, _, name), load in _loads(comparison.changes) if kind == "box"}
    systems: dict[str, list[_Load]] = {}
    for (kind, system, _), load in _loads(comparison.changes):
        if kind == "volume" and system:
            systems.setdefault(system, []).append(load)
    for kind, found in (("box", boxes), ("system", systems)):
        yield from (_line(f"{kind} {name}", found[name]) for name in sorted(found)[:MOST])
        if len(found) > MOST:
            yield f"and {plural(len(found) - MOST, f'more {kind}', 'more boxes' if kind == 'box' else '')}"


def _loads(changes: Iterable[Change]) -> Iterator[tuple[tuple[str, str, str], _Load]]:
    """Subjects whose rate and times are known on both sides."""
    means: dict[tuple[str, str, str], dict[str, tuple[float, float]]] = {}
    for c in changes:
        if c.mean_before is not None and c.mean_after is not None:
            means.setdefault((c.kind, c.system, c.subject), {})[c.measure] = c.mean_before, c.mean_after
    for subject, known in means.items():
        if {"io_rate", *_TIMES} <= known.keys():
            yield subject, _Load(known["io_rate"], {name: known[name] for name in _TIMES})


def _line(name: str, loads: list[_Load]) -> str:
    before, after = (sum(load.rate[side] for load in loads) for side in (0, 1))
    response, *parts = (f"{words} {_mean(loads, measure)}" for measure, words in _TIMES.items())
    return f"{name}: {_span(before, after)} I/Os per s, {response} ms ({', '.join(parts)})"


def _mean(loads: list[_Load], measure: str) -> str:
    """Weighted by I/Os."""
    ends = []
    for side in (0, 1):
        ios = sum(load.rate[side] for load in loads)
        ends.append(sum(load.rate[side] * load.times[measure][side] for load in loads) / ios if ios else 0.0)
    return _span(*ends)


def _span(before: float, after: float) -> str:
    return f"{human_number(before)} to {human_number(after)}"

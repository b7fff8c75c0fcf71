"""Which files of a large lake a question needs: of what it reads for a span of time or a system, those of about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from iosq.toolkit.lake.lake import Lake as Store
    from iosq.toolkit.lake.lake import Listed
    from iosq.toolkit.lake.prepared import Piece
    from iosq.toolkit.sql.catalog import View
    from iosq.toolkit.sql.filter import Filter
    from iosq.toolkit.sql.window import Systems, Window

LARGE_BYTES = 32_000_000  # of Parquet; below, reading takes less time than finding out what to read
_CACHE = "smf74_5_cache_control"
_LATEST_US = 4_102_444_800_000_000  # 2100: damaged records tell of any year

Parts = Mapping[str, Sequence["Listed"]]
Pieces = Mapping[str, Sequence["Piece"]]


class Needed(NamedTuple):
    """The files to read, of raw tables and of prepared views; `is_cut` where there are others."""

    files: Parts
    is_cut: bool = False
    pieces: Pieces = MappingProxyType({})


def is_large(parts: Parts) -> bool:
    """Whether it is worth while to find out which files are needed."""
    return sum(f.bytes for found in parts.values() for f in found) > LARGE_BYTES


def needed_files(
    store: Store, parts: Parts, window: Window, systems: Systems, read: Sequence[View], asked: Iterable[str]
) -> Needed:
    """Of all files those that a question needs.

    Args:
        store: where they are.
        parts: what the lake lists.
        window: the time that the question is about.
        systems: those that it is about; None for all.
        read: the views that it reads, with those below.
        asked: the names of those that it asks.
    """
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.connect import fed
    from iosq.toolkit.sql.window import are_short, is_shared, nearby, reached

    if not (window or systems) or not is_large(parts):
        return Needed(parts)
    known = tables().keys()
    made = reached([fed(v, known, known - parts.keys()) for v in read], asked)
    cut = nearby(made, parts.keys())
    of_system = {None, *systems} if systems else set()

    def touches(name: str, file: Listed) -> bool:
        others = of_system and file.system not in of_system and not is_shared(name)
        return name not in cut or (window.touches(file.first_us, file.last_us) and not others)

    kept = {name: [f for f in found if touches(name, f)] for name, found in parts.items()}
    lengths = {_CACHE: parts[_CACHE]} if _CACHE in cut else {}
    if kept == parts or not are_short(store.whole(lengths).get(_CACHE, ())):
        return Needed(parts)
    return Needed(kept, is_cut=True)


def needed_pieces(parts: Parts, pieces: Pieces, window: Window) -> Needed:
    """Of what is prepared that of the days that a window is about: all views are, so none looks beyond them."""
    from iosq.toolkit.sql.window import DAY_US

    first = -math.inf if window.since_us is None else window.since_us // DAY_US
    last = math.inf if window.until_us is None else window.until_us // DAY_US
    if not window:
        return Needed(parts, pieces=pieces)
    kept = {view: [p for p in found if p.day is None or first <= p.day <= last] for view, found in pieces.items()}
    return Needed(parts, any(len(kept[view]) < len(found) for view, found in pieces.items()), kept)


def largest(pieces: Pieces) -> Pieces:
    """The piece of each view with the most rows: where first rows are looked for."""
    return {view: [max(found, key=lambda p: p.rows)] for view, found in pieces.items()}


def busiest_day(parts: Parts) -> Filter | None:
    """The day (UTC) with the most bytes: where first rows are looked for."""
    from iosq.toolkit.sql.filter import Filter, Instant
    from iosq.toolkit.sql.window import DAY_US

    held: dict[int, int] = {}
    for f in (f for found in parts.values() for f in found):
        if f.first_us is not None and 0 < f.first_us < _LATEST_US:
            held[f.first_us // DAY_US] = held.get(f.first_us // DAY_US, 0) + f.bytes
    if len(held) < 2:
        return None
    day = datetime(1970, 1, 1) + timedelta(days=max(held, key=lambda d: (held[d], d)))
    return Filter(Instant(day, is_utc=True), Instant(day + timedelta(days=1), is_utc=True))

"""Read promised views for Delta tables: by day if their facts are stored by day, else as one part."""

import datetime as dt
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

import pyarrow as pa
import xxhash

from iosq.parsers.registry import tables
from iosq.toolkit.facts.build import facts
from iosq.toolkit.facts.plan import Plan, definitions
from iosq.toolkit.lake.facts import Piece
from iosq.toolkit.lake.lake import Lake, places
from iosq.toolkit.rows import grouped
from iosq.toolkit.sql.catalog import View, needed, unstored, views
from iosq.toolkit.sql.connect import connect, shows_part
from iosq.toolkit.sql.engine import batches
from iosq.toolkit.sql.raw import literal

PART = "iosq_part"
ALL = "all"  # the only part of a view whose rows depend on the whole lake
UNDATED = "undated"
_PART_OF = f"coalesce(strftime(interval_start, '%Y-%m-%d'), '{UNDATED}')"


def promised() -> list[View]:
    """The views to export."""
    return [view for view in views() if view.layer == "promised"]


class Promised:
    """The promised views of a lake, from its facts; missing ones are computed first, or LakeError says why not."""

    def __init__(self, lake: Lake) -> None:
        lake = Lake(lake.path.absolute())
        self._plan = Plan(lake, lake.listed())

    def parts(self, view: View) -> dict[str, int]:
        """The digest by name of each part with rows: a day, or `all`."""
        by_day = self._is_daily(view)
        pieces = (p for name in self._below(view) for p in self._facts[name] if p.rows)
        found = grouped(pieces, lambda p: _part(p.day) if by_day else ALL)
        return {part: _digest(pieces) for part, pieces in found.items()}

    @contextmanager
    def rows(self, view: View, parts: Collection[str]) -> "Iterator[pa.RecordBatchReader]":
        """The rows of some parts with the part's name as first column; only their facts are read."""
        by_day = self._is_daily(view)
        stored = {
            name: places(p for p in self._facts[name] if not by_day or _part(p.day) in parts)
            for name in self._below(view)
        }
        known, listed, read = tables(), self._plan.listed, needed(view.name, unstored())
        part = _PART_OF if by_day else f"'{ALL}'"
        # a file may also have rows of other days
        asked = f" WHERE {part} IN ({', '.join(map(literal, parts)) or 'NULL'})" if by_day else ""
        with connect(
            known.values(), stored, {}, root=self._plan.lake.path, only=read, idle=known.keys() - listed.keys(),
            commented=False,
        ) as con:  # fmt: skip
            yield batches(con, f"SELECT {part} AS {PART}, * FROM {view.name}{asked}")

    @cached_property
    def _facts(self) -> Mapping[str, Sequence[Piece]]:
        return facts(self._plan, {name for view in promised() for name in self._below(view)})

    def _below(self, view: View) -> list[str]:
        """The facts that a view consists of, or is computed from."""
        return [read.name for read in needed(view.name, unstored()) if read.is_stored]

    def _is_daily(self, view: View) -> bool:
        return shows_part(view) and self._plan.daily | self._plan.joined >= set(self._below(view)) - self._plan.empty


def _part(day: int | None) -> str:
    return UNDATED if day is None else (dt.date(1970, 1, 1) + dt.timedelta(days=day)).isoformat()


def _digest(pieces: "Sequence[Piece]") -> int:
    """A 63-bit digest of the facts of a part and of the definitions of views."""
    text = "\n".join([definitions(), *(f"{piece.view} {piece.digest}" for piece in pieces)])
    return xxhash.xxh3_64_intdigest(text.encode()) >> 1

"""Answers to questions about a whole lake, kept beside its prepared views and for as long as they hold."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from iosq.toolkit.lake.prepared import ANSWERS, Piece, making, prepared

if TYPE_CHECKING:
    import pyarrow as pa


class Answers:
    """What is kept of a lake's prepared set; see `iosq.toolkit.sql.kept`."""

    def __init__(self, lake: Path, of: str, *, utc: bool = False) -> None:
        self.lake, self.of, self._clock = lake, ANSWERS + of, "utc" if utc else "local"

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        """By name; empty where they are not what was kept."""
        return {name: found[0] for name, found in prepared(self.lake, self.of).items() if len(found) == 1}

    def find(self, key: str) -> pa.Table | None:
        """The answer of this key on this clock, if there is one."""
        return self._read(self._name(key))

    def keep(self, key: str, answer: pa.Table) -> None:
        """Let it go: who asks writes nothing into a lake."""

    def _name(self, key: str) -> str:
        return f"{self._clock}-{key}"

    def _read(self, name: str) -> pa.Table | None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if name not in self.pieces:
            return None
        try:
            return pq.read_table(self.lake / self.pieces[name].path, partitioning=None, use_threads=False)
        except (OSError, pa.ArrowException):  # taken away since: what is kept is asked again
            return None


class Taken(Answers):
    """Answers that are being kept, beside those that are there."""

    def __init__(self, lake: Path, of: str) -> None:
        super().__init__(lake, of)
        self._new: dict[str, pa.Table] = {}

    def find(self, key: str) -> pa.Table | None:
        """The answer of this key, there or new."""
        name = self._name(key)
        return self._new[name] if name in self._new else self._read(name)

    def keep(self, key: str, answer: pa.Table) -> None:
        """Take an answer."""
        self._new[self._name(key)] = answer

    def write(self) -> int:
        """Store those that are there and the new ones, all or none; how many there are.

        Raises:
            LakeError: the disk is full, read-only or the like; those that are there stay.
        """
        if not self._new:
            return len(self.pieces)
        there = {name: rows for name in self.pieces if (rows := self._read(name)) is not None}
        every = there | self._new
        with making(self.lake, self.of) as now:
            for name, rows in every.items():
                now.keep(name, rows.to_reader(), as_arrow=True)
        return len(every)

"""Evidence about volumes and pools: queries that rules and what-ifs share, and what follows from their rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

SEEN = 0.9  # share of a rate, or of outstanding I/Os, from which on load with other aliases is comparable


class Load(Protocol):
    """The load of a volume or a pool in an interval."""

    @property
    def rate(self) -> float:
        """I/Os per second."""

    @property
    def queue(self) -> float:
        """I/Os that wait in the host."""


T = TypeVar("T", bound=Load)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a query: its columns and rows."""

    columns: Sequence[str]
    rows: Sequence[Row]


NONE = Answer((), ())


class Evidence:
    """Answers by the name of their question."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers
        self._by = cache(self._grouped)

    def joined(self, rows: Sequence[Row], keys: Mapping[str, Sequence[str]]) -> list[Row]:
        """Rows with the columns of the first row of evidence with the same keys, by the name of the question."""
        for name, by in keys.items():
            unknown = dict.fromkeys(self._answers[name].columns)
            rows = [{**unknown, **self.row(name, **{key: r[key] for key in by}), **r} for r in rows]
        return list(rows)

    def rows(self, name: str, **of: Hashable) -> Sequence[Row]:
        """The rows of an answer that have these values, in order."""
        return self._by(name, tuple(of)).get(tuple(of.values()), ())

    def row(self, name: str, **of: Hashable) -> Row:
        """The first of them; empty where there is none."""
        return next(iter(self.rows(name, **of)), {})

    def _grouped(self, name: str, columns: Sequence[str]) -> Mapping[tuple[Hashable, ...], list[Row]]:
        found: dict[tuple[Hashable, ...], list[Row]] = {}
        for r in self._answers[name].rows:
            found.setdefault(tuple(r[column] for column in columns), []).append(r)
        return found


def statement() -> str:
    """The views that the questions about one volume or pool read."""
    names = ("addresses", "closed_member", "closed_trial", "curve", "members", "pool", "pool_now", "volume_now")
    return " ".join(load(__name__, f"{name}.sql").sql for name in names)


def row(con: Connection, name: str, of: Row, **parameters: object) -> Row:
    """The row of a question about one subject; empty if there is none.

    Args:
        con: the lake.
        name: of the question.
        of: its values of columns.
        parameters: of the question.
    """
    answer = ask(con, load(__name__, f"{name}.sql"), **parameters).to_pylist()
    return next((r for r in answer if of.items() <= r.items()), {})


def asked(con: Connection, name: str, limits: Mapping[str, float]) -> Answer:
    """The answer to a question with those of the limits that it takes."""
    question = load(__name__, f"{name}.sql")
    table = ask(con, question, **{n: limits[n] for n in question.asked_with})
    return Answer(table.column_names, table.to_pylist())


def latest(seen: Sequence[T], is_now: Callable[[T], bool], queues: Callable[[T], bool]) -> Sequence[T]:
    """The intervals since a change, if comparable work came or I/Os queued then; otherwise those before.

    Args:
        seen: intervals of a volume or a pool.
        is_now: true for those since.
        queues: true where I/Os queue for an alias.
    """
    now = [s for s in seen if is_now(s)]
    busiest = max(seen, key=lambda s: (s.queue, s.rate))
    came = any(s.rate >= SEEN * busiest.rate or queues(s) for s in now)
    return now if came else [s for s in seen if not is_now(s)]


def pool_cap(r: Row, size: int) -> int | None:
    """Aliases that the addresses of an LCU allow for its pool; None where that is unknown.

    Args:
        r: with `free_addresses` (None: unknown, or a group, which has those of all its LCUs) and `other_aliases`, which
            another system has there already.
        size: of the pool now.
    """
    if r.get("free_addresses") is None:
        return None
    return max(size + max(int(r["free_addresses"]), 0), r["other_aliases"] or 0)

"""Evidence about volumes and pools: queries that rules and what-ifs share, and functions of their rows."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar

from iosq.toolkit.rows import Row, grouped
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

SEEN = 0.9  # load with other aliases is comparable from this share of the rate, or of the outstanding I/Os


class Load(Protocol):
    """The load of a volume or a pool in an interval: I/Os per second, and mean I/Os that wait in the host."""

    @property
    def rate(self) -> float: ...

    @property
    def queue(self) -> float: ...


T = TypeVar("T", bound=Load)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a query: its columns and rows."""

    columns: Sequence[str]
    rows: Sequence[Row]


NONE = Answer((), ())


class Evidence:
    """Query results by name of the query."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers
        self._by = cache(self._grouped)

    def joined(self, rows: Sequence[Row], keys: Mapping[str, Sequence[str]]) -> list[Row]:
        """Rows joined with the first matching row of each query; `keys`: key columns by name of the query."""
        for name, by in keys.items():
            unknown = dict.fromkeys(self._answers[name].columns)
            rows = [{**unknown, **self.row(name, **{key: r[key] for key in by}), **r} for r in rows]
        return list(rows)

    def rows(self, name: str, **of: Hashable) -> Sequence[Row]:
        """The rows of a result that have these column values, in order."""
        return self._by(name, tuple(of)).get(tuple(of.values()), ())

    def row(self, name: str, **of: Hashable) -> Row:
        """The first row with these column values; empty if there is none."""
        return next(iter(self.rows(name, **of)), {})

    def _grouped(self, name: str, columns: Sequence[str]) -> Mapping[tuple[Hashable, ...], list[Row]]:
        return grouped(self._answers[name].rows, lambda r: tuple(r[column] for column in columns))


def statement() -> str:
    """SQL that names the views read by the queries about one volume or pool."""
    names = ("addresses", "closed_member", "closed_trial", "curve", "members", "pool", "pool_now", "volume_now")
    return " ".join(load(__name__, f"{name}.sql").sql for name in names)


def row(con: Connection, name: str, of: Row, **parameters: object) -> Row:
    """The row of a query that has the column values `of` a subject; empty if there is none."""
    answer = ask(con, load(__name__, f"{name}.sql"), **parameters).to_pylist()
    return next((r for r in answer if of.items() <= r.items()), {})


def asked(con: Connection, name: str, limits: Mapping[str, float]) -> Answer:
    """The result of a query, with those of the limits that are its parameters."""
    question = load(__name__, f"{name}.sql")
    table = ask(con, question, **{n: limits[n] for n in question.asked_with})
    return Answer(table.column_names, table.to_pylist())


def latest(seen: Sequence[T], is_now: Callable[[T], bool], queues: Callable[[T], bool]) -> Sequence[T]:
    """The intervals after a change, if their load is comparable or I/Os queue; otherwise those before."""
    now = [s for s in seen if is_now(s)]
    busiest = max(seen, key=lambda s: (s.queue, s.rate))
    has_load = any(s.rate >= SEEN * busiest.rate or queues(s) for s in now)
    return now if has_load else [s for s in seen if not is_now(s)]


def pool_cap(r: Row, size: int) -> int | None:
    """Maximum aliases of a pool by the addresses of its LCU; None if unknown.

    `r` has `free_addresses` (None: unknown, or a group, which has the addresses of all its LCUs) and `other_aliases`,
    the number another system already has in the pool.
    """
    if r.get("free_addresses") is None:
        return None
    return max(size + max(int(r["free_addresses"]), 0), r["other_aliases"] or 0)

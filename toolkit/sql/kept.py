"""Answers that are kept: what shipped questions find in all of a lake hangs on its rows, and on nothing else.

A question about a whole lake reads every row, and its answer is some hundred. What `iosq prepare` asked once,
advice and reports read afterwards, however large the lake is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

import duckdb
import xxhash

from iosq.toolkit.sql.engine import Connection, Elsewhere, Parameters

if TYPE_CHECKING:
    import pyarrow as pa

# what they hold changes with inputs that have no row: another state of the lake is not told by its Parquet files
_OF_INPUTS = re.compile(r"\blake_\w*(files|records|issues)\b")


class Answers(Protocol):
    """Where answers are kept."""

    def find(self, key: str) -> pa.Table | None:
        """The answer of this key, if there is one."""

    def keep(self, key: str, answer: pa.Table) -> None:
        """Take an answer, or let it go."""


_OF: WeakKeyDictionary[Connection, Answers] = WeakKeyDictionary()


def use(con: Connection, answers: Answers | None) -> None:
    """Let questions to a connection look there first. It has to show all of a lake."""
    if answers is not None:
        _OF[con] = answers


def used(con: Connection) -> Answers | None:
    """Where questions to a connection look first."""
    return _OF.get(con)


class Remembered:
    """Answers of one report: several of its parts ask the same."""

    def __init__(self, others: Answers | None) -> None:
        self._others, self._own = others, dict[str, "pa.Table"]()

    def find(self, key: str) -> pa.Table | None:
        """The answer of this key, given before or kept elsewhere."""
        if key not in self._own and self._others and (known := self._others.find(key)) is not None:
            self._own[key] = known
        return self._own.get(key)

    def keep(self, key: str, answer: pa.Table) -> None:
        """Remember an answer, and let others keep it."""
        self._own[key] = answer
        if self._others:
            self._others.keep(key, answer)


def remember(con: Connection) -> None:
    """Let a connection whose rows do not change answer the same only once."""
    use(con, Remembered(used(con)))


def find(con: Connection, sql: str, parameters: Parameters) -> pa.Table | None:
    """The answer to a statement, where it is kept."""
    answers = _looked_in(con, sql)
    known = answers.find(key(sql, parameters)) if answers else None
    return known if known is not None and _fits(con, sql, parameters, known) else None


def _fits(con: Connection, sql: str, parameters: Parameters, known: pa.Table) -> bool:
    """Whether an answer has the columns of its question: a lake from somebody else may keep anything."""
    if isinstance(con, Elsewhere):
        return True
    cursor = con.cursor()
    try:
        asked = cursor.execute(f"SELECT * FROM (\n{sql}\n) LIMIT 0", parameters or None).to_arrow_table()
    except duckdb.Error:
        return False
    finally:
        cursor.close()
    return bool(asked.schema.equals(known.schema))


def keep(con: Connection, sql: str, parameters: Parameters, answer: pa.Table) -> pa.Table:
    """The answer to a statement, for the next time."""
    if answers := _looked_in(con, sql):
        answers.keep(key(sql, parameters), answer)
    return answer


def _looked_in(con: Connection, sql: str) -> Answers | None:
    answers = used(con)
    return answers if answers and not _OF_INPUTS.search(sql) else None


def key(sql: str, parameters: Parameters) -> str:
    """What an answer is known by: 32 hex digits of the statement and its values."""
    values = sorted(parameters.items()) if isinstance(parameters, Mapping) else list(parameters)
    return xxhash.xxh3_128_hexdigest(repr((sql, values)).encode())

"""Answers of stored lakes, kept: commands that ask the same SQL of the same files share what the engine gave once.

Most of a command's time goes into planning the questions of rules and pages; a test asks what it makes of the answers.
"""

import re
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from iosq import connecting
from iosq.parsers.registry import tables
from iosq.toolkit.sql import guard, questions
from iosq.toolkit.sql.catalog import names
from iosq.toolkit.sql.window import of_filter

KEPT: dict[str, pa.Table] = {}  # empty it where an answer has to be found anew
# the state of the lake behind a connection, its filter and clock; and the views and tables that were made for it
_LAKES: weakref.WeakKeyDictionary[Any, tuple[str, set[str]]] = weakref.WeakKeyDictionary()
_MADE = "SELECT view_name FROM duckdb_views() UNION ALL SELECT table_name FROM duckdb_tables()"


@contextmanager
def asked_once() -> Iterator[None]:
    """While it lasts, what was asked of the same state of a lake is not asked again."""
    opened, stream, queries = connecting._opened, guard.stream, guard.queries

    def known(path: Path, question: Any) -> Any:
        con, is_part = opened(path, question)
        state = (path / "manifest.sqlite").stat()
        key = path.resolve(), state.st_mtime_ns, state.st_size, question.where, question.utc, question.steady
        if of_filter(question.where):  # which files are read depends on all that is asked
            key += (question.statement, question.made, question.all_days)
        _LAKES[con] = repr(key), {name for (name,) in con.execute(_MADE).fetchall()}
        return con, is_part

    @contextmanager
    def streamed(con: Any, sql: str, parameters: Any = (), *, held: float = 0) -> Iterator[Any]:
        key = _key(con, sql, parameters)
        if held != 1 or key not in KEPT:
            with stream(con, sql, parameters, held=held) as reader:
                if held != 1 or not key:
                    yield reader
                    return
                KEPT[key] = reader.read_all()
        yield KEPT[key].to_reader()

    def answered(con: Any, asked: Any, done: Any) -> dict[str, pa.Table]:
        keys = {name: f"{key} checked" if (key := _key(con, *given)) else "" for name, given in asked.items()}
        found = queries(con, {name: given for name, given in asked.items() if keys[name] not in KEPT}, done)
        KEPT.update({keys[name]: rows for name, rows in found.items() if keys[name]})
        return {name: found[name] if name in found else KEPT[keys[name]] for name in asked}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connecting, "_opened", known)
        patch.setattr(guard, "stream", streamed)
        patch.setattr(questions, "queries", answered)
        yield


def _key(con: Any, sql: str, parameters: Any) -> str:
    """What an answer is kept by; empty where the engine is to say that a view or table it needs was not made."""
    lake, made = _LAKES.get(con, ("", set[str]()))
    asked = {*re.findall(r"\w+", sql.lower())} & (names() | tables().keys())
    return f"{lake} {sql} {parameters}" if lake and asked <= made else ""

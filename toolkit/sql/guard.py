"""Read-only queries: no statement can write, or read outside the lake.

There are five barriers, each sufficient for most attacks: only SELECT-like statements pass; they call no function that
does more than read; they run in a read-only transaction; file access is limited to the lake's Parquet files
(`iosq.toolkit.sql.connect`); settings are locked.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import duckdb

from iosq.toolkit.errors import IosqError, RequestError, nearest
from iosq.toolkit.late import pa
from iosq.toolkit.sql.calls import begins_with, check_calls, explained_part, is_pivot
from iosq.toolkit.sql.damage import explained, possible
from iosq.toolkit.sql.engine import BATCH, Connection, Elsewhere, Parameters, batches, begun
from iosq.toolkit.sql.limits import IN_FORCE, is_left, within
from iosq.toolkit.sql.plain import FETCHED, Columns, Rows, fetched, of_arrow
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.sql.together import together
from iosq.toolkit.sql.unknown import unknown_column

T = TypeVar("T")
_PLACE = re.compile(r"^LINE (\d+): ", re.MULTILINE)
_LEFT_OUT = "..."
_UNKNOWN_TABLE = re.compile(r"Table with name (\S+) does not exist")
_UNKNOWN_COLUMN = re.compile(r'(?:Referenced column "([^"]+)" not found|does not have a column named "([^"]+)")')
MOST_PASSED = 1000
_PASSED: set[str] = set()  # texts that were found to only read
ONLY_READS = "only one SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN is allowed"


def check(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse everything but one SELECT-like statement. Rules, charts and tables ask with the same texts again.

    RequestError if the text is empty, holds several statements, or one that does more than read.
    """
    if sql not in _PASSED:
        _check(con, sql)
        if len(_PASSED) < MOST_PASSED:
            _PASSED.add(sql)


def _check(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    try:
        found = con.extract_statements(sql)
    except duckdb.Error as error:
        raise _request(con, error, sql) from error
    kinds = [statement.type.name for statement in found]
    if [*dict.fromkeys(kinds)] in (["CREATE", "SELECT"], ["MULTI"]) and is_pivot(sql):
        kinds = ["SELECT"]
    if len(kinds) != 1:
        raise RequestError(f"{len(found)} statements where one was expected", remedy=ONLY_READS)
    if kinds == ["EXPLAIN"]:
        check(con, explained_part(sql))
    elif kinds[-1] != "SELECT" or ("pragma" in sql.lower() and begins_with(sql, "PRAGMA")):
        raise RequestError(f"{kinds[-1] if kinds[-1] != 'SELECT' else 'PRAGMA'} is not allowed here", remedy=ONLY_READS)
    check_calls(sql, lambda inner: check(con, inner))


class _Reading:
    """A checked statement in a transaction that cannot write, each step of it within the limits."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters) -> None:
        self._cursor = cursor
        self._deadline = None if IN_FORCE.timeout_s is None else time.monotonic() + IN_FORCE.timeout_s
        self.step(lambda: begun(cursor, sql, parameters))

    def step(self, work: Callable[[], T]) -> T:
        """The result of `work`."""
        return within(self._cursor, self._deadline, work)

    @property
    def columns(self) -> Columns:
        """The columns of the result."""
        return Columns(self._cursor)

    def reader(self, held: float) -> "pa.RecordBatchReader":
        """Its rows as Arrow; `held` as for `stream`."""
        found = self.step(lambda: self._cursor.to_arrow_reader(BATCH))
        return pa.RecordBatchReader.from_batches(found.schema, _batches(self, found, held))

    def rows(self, held: float) -> Rows:
        """Its rows as tuples, where its columns are plain; `held` as for `stream`."""
        columns, kept = self.columns, 0.0
        while batch := self.step(lambda: fetched(self._cursor)):
            size = columns.nbytes(batch)
            kept += held * size
            IN_FORCE.check_held(kept + size)
            yield from columns.as_arrow(batch)
            if len(batch) < FETCHED:
                return


@contextmanager
def _reading(con: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters) -> Iterator[_Reading]:
    check(con, sql)
    cursor = con.cursor()
    try:
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        yield _Reading(cursor, sql, parameters)
    except duckdb.Error as error:
        raise _request(con, error, sql) from error
    except OSError as error:
        if error.errno is None:  # an engine error from an Arrow stream; a system error has a number
            raise _request(con, error, sql) from error
        raise
    finally:
        if not is_left(cursor):
            cursor.close()


def query(con: Connection, sql: str, parameters: Parameters = ()) -> "pa.Table":
    """The whole answer to a read-only statement as a `pyarrow.Table`.

    Args:
        con: from `connect`, or the views in another engine.
        sql: one SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN; `?` or `$name` marks parameters.
        parameters: values for the marks, in order or by name.

    Raises:
        RequestError: the statement is not allowed or does not run; unknown names come with the nearest known ones.
        LakeError: a stored file can't be read, or gives a value that no view computes (see `possible`).
    """
    with stream(con, sql, parameters, held=1) as reader:
        return possible(reader.read_all())


def queries(
    con: duckdb.DuckDBPyConnection, asked: Mapping[str, tuple[str, Parameters]], done: Callable[[int], object]
) -> "dict[str, pa.Table]":
    """Results of `query` for several statements with their values, by name: several in parallel, each in one thread.

    `con` is set to one thread, see `iosq.toolkit.sql.together`; `done` is called with the number of finished
    statements.
    """
    for sql, _ in asked.values():
        check(con, sql)
    wanted = {repr(given): given for given in asked.values()}  # the same with the same values is run once
    found: dict[str, pa.Table] = {}

    def answer(cursor: duckdb.DuckDBPyConnection, key: str) -> None:
        sql, parameters = wanted[key]
        try:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            found[key] = possible(batches(cursor, sql, parameters).read_all())
            cursor.execute("COMMIT")
        except duckdb.Error as error:
            raise _request(con, error, sql) from error

    for number, _ in enumerate(together(con, dict.fromkeys(wanted, ()), answer), len(asked) - len(wanted) + 1):
        done(number)
        IN_FORCE.check_held(sum(rows.nbytes for rows in list(found.values())))
    return {name: found[repr(given)] for name, given in asked.items()}


@contextmanager
def stream(con: Connection, sql: str, parameters: Parameters = (), *, held: float = 0) -> "Iterator[pa.RecordBatch]":
    """The answer as a `pyarrow.RecordBatchReader`, for results larger than memory; otherwise as `query`.

    `held`: bytes that the reader keeps per byte read; 0: only the current batch.
    """
    if isinstance(con, Elsewhere):
        yield _from_elsewhere(con, sql, parameters, held)
        return
    with _reading(con, sql, parameters) as answer:
        yield answer.reader(held)


@contextmanager
def rows(
    con: Connection, sql: str, parameters: Parameters = (), *, held: float = 0
) -> Iterator[tuple[Sequence[str], Rows]]:
    """The answer's column names and its rows as tuples, with the values that `stream` gives; see there."""
    if isinstance(con, Elsewhere):
        reader = _from_elsewhere(con, sql, parameters, held)
        yield reader.schema.names, of_arrow(reader)
        return
    with _reading(con, sql, parameters) as answer:
        columns = answer.columns
        yield columns.names, answer.rows(held) if columns.are_plain else of_arrow(answer.reader(held))


def _from_elsewhere(con: Elsewhere, sql: str, parameters: Parameters, held: float) -> "pa.RecordBatchReader":
    found = con.answer(sql, parameters)
    IN_FORCE.check_held((1 + held) * found.nbytes)
    return pa.RecordBatchReader.from_batches(found.schema, found.to_batches(BATCH))


def _batches(answer: _Reading, reader: Any, held: float) -> "Iterator[pa.RecordBatch]":
    kept = 0.0
    while (batch := answer.step(lambda: next(iter(reader), None))) is not None:
        kept += held * batch.nbytes
        IN_FORCE.check_held(kept + batch.nbytes)
        yield batch


def _names(con: duckdb.DuckDBPyConnection, column: str) -> list[str]:
    found = con.execute(f"SELECT DISTINCT {column} FROM duckdb_columns() WHERE NOT internal").fetchall()
    return [row[0] for row in found]


def _request(con: duckdb.DuckDBPyConnection, error: Exception, sql: str) -> IosqError:
    """One line from an engine error."""
    text = str(error)
    if known := explained(con, error):
        return known
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.catalog import views

    if table := _UNKNOWN_TABLE.search(text):
        name = table[1].strip('"')
        names = [*_names(con, "table_name"), *tables(), *(v.name for v in views())]
        hint = nearest(name, names) or "lake_views lists the views"
        return RequestError(f"there is no table or view {name}", remedy=hint)
    if column := _UNKNOWN_COLUMN.search(text):
        name = column[1] or column[2]
        otherwise = f"lake_dictionary lists the columns; a text goes in single quotes: {literal(name)}"
        return unknown_column(name, sql, _names(con, "column_name"), otherwise)
    first = text.splitlines()[0]
    return RequestError(re.sub(r"^[\w ]*Error: ", "", first), place=_position(text, sql))


def _position(text: str, sql: str) -> str:
    """Position in the statement, from the engine's message; of a long line a part; empty if unknown."""
    found = _PLACE.search(text)
    if not found:
        return ""
    shown, caret = [*text[found.end() :].split("\n"), ""][:2]
    line = (sql.split("\n")[int(found[1]) - 1 :] or [""])[0]
    part = shown.removeprefix(_LEFT_OUT).removesuffix(_LEFT_OUT)
    if "^" not in caret or line.count(part) != 1:
        return ""
    left_out = line.index(part) - len(_LEFT_OUT) if shown.startswith(_LEFT_OUT) else 0
    return f"line {found[1]}, column {left_out + caret.index('^') - len(found[0]) + 1}"
